/** Name of the schema file next to a new agent file. */
export const schemaFileName = 'ostler.schema.json'

/**
 * The agent file that `ostler init` writes. Prose begins with `# `; examples begin with `#` and no space. Removing the `#` makes an example
 * valid, also if all of them are uncommented at once.
 */
export const agentFileTemplate = `# yaml-language-server: $schema=./${schemaFileName}
# The agent file of Ostler: its model, its MCP servers, and what their tools may do.
# Take the # away from the lines you want. \`ostler check\` says whether the file is right, \`ostler check --connect\` also starts the servers.
# \${VAR} and \${VAR:-default} stand for environment variables in every text. A duration is 30s, 500ms, 2m, PT30S, or a number of milliseconds.

# What you always allow or reject is kept under this name.
#name: default
#description: What this agent is for

# provider/model, or offline. Unset: the first provider that has a key.
#model: ollama/qwen3
#systemPrompt: You are a careful colleague.

# Model endpoints of your own, on top of the built-in ones (anthropic, openai, google, openrouter, ollama, lmstudio, llamacpp, vllm).
#providers:
#  work:
#    type: openai-compatible
#    baseUrl: https://models.example.com/v1
#    apiKey: \${WORK_API_KEY}

# Who is asked before a tool runs. always-ask: you. trusted-only: you, but not for what is trusted. auto: nobody.
approval:
  mode: always-ask
#  trustedTools:
#    - files:read_text_file
#    - customers:*

# The agent's own MCP servers. The editor's come on top of them, for each session.
#mcpServers:
# A server that Ostler starts. dynamic: tools that are not in toolbox.tools are let in as defaultToolConfig says.
#  files:
#    type: stdio
#    command: npx
#    args: [-y, '@modelcontextprotocol/server-filesystem', '\${HOME}']
#    mode: dynamic
#    defaultToolConfig:
#      maxInstances: 5
#      timeout: 30s
# A server at an address. strict: it may offer only what is in toolbox.tools, or the agent does not start.
#  customers:
#    type: http
#    url: https://customers.example.com/mcp
#    auth:
#      type: bearer
#      token: \${CUSTOMERS_TOKEN}
#    mode: strict
#    required: false
#    rateLimit:
#      calls: 60
#      per: 1m

# The limits of single tools, and what a strict server may offer.
#toolbox:
#  maxConcurrent: 10
#  tools:
#    - name: get_customer
#      server: customers
#      maxInstances: 10
#      timeout: 1m
#    - name: write_file
#      approval: ask

# How the editor's servers are treated. strict lets in only what is in toolbox.tools.
#sessionServers:
#  mode: dynamic

# How many requests to the model one prompt may take.
#maxSteps: 100
`
