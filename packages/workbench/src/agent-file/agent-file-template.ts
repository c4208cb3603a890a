export const schemaFileName = 'ostler.schema.json'

/**
 * The agent file that `ostler init` writes. Prose begins with `# `; examples begin with `#` and no space. Removing the `#` makes an example
 * valid, also if all of them are uncommented at once.
 */
export const agentFileTemplate = `# yaml-language-server: $schema=./${schemaFileName}
# The agent file of Ostler: its model, its MCP servers, and what their tools may do.
# Uncomment the lines you want. \`ostler check\` validates the file. \`ostler check --connect\` also starts the servers.
# \${VAR} and \${VAR:-default} insert environment variables. A duration is 30s, 500ms, 2m, PT30S, or a number of milliseconds.

# Your "always" answers are stored under this name.
#name: default
#description: What this agent is for

# provider/model, or offline. Default: the first provider with a key.
#model: ollama/qwen3
#systemPrompt: You are a careful colleague.

# Your own model endpoints, in addition to the built-in ones (anthropic, openai, google, openrouter, ollama, lmstudio, llamacpp, vllm).
#providers:
#  work:
#    type: openai-compatible
#    baseUrl: https://models.example.com/v1
#    apiKey: \${WORK_API_KEY}

# When to ask before running a tool. read-only: deny every call that does more than read. always-ask: ask before each such call.
# trusted-only: run trusted tools, ask before all others.
# fenced: edit, and run commands in a sandbox, without asking. auto: run without asking, except for secrets and paths outside.
approval:
  mode: always-ask
#  trustedTools:
#    - files:read_text_file
#    - customers:*
#  reads: ask

# The built-in tools. Each can be switched off or restricted.
#tools:
#  fetch_url: false
#  run_command:
#    timeout: 5m
#    timeoutMax: 30m

# The agent's own MCP servers. The editor adds its servers to each session.
#mcpServers:
# A server that Ostler starts. The mcpServers block of its README works unchanged. dynamic: all its tools are admitted.
#  files:
#    type: stdio
#    command: npx
#    args: [-y, '@modelcontextprotocol/server-filesystem', '\${HOME}']
#    mode: dynamic
#    defaultToolConfig:
#      maxInstances: 5
#      timeout: 30s
# A remote server. strict: all its tools must be in toolbox.tools, or the agent does not start.
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

# Settings per tool. Strict servers may offer only these tools.
#toolbox:
#  maxConcurrent: 10
#  tools:
#    - name: get_customer
#      server: customers
#      maxInstances: 10
#      timeout: 1m
#    - name: write_file
#      approval: ask

# The servers of the editor. strict: only tools in toolbox.tools are admitted.
#sessionServers:
#  mode: dynamic

# The maximum number of requests to the model per prompt.
#maxSteps: 100
`
