import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configurationFields } from './configuration-fields.ts'

const fixtures = join(import.meta.dirname, '../fixtures/agent-files')
const formatter = join(import.meta.dirname, '../../node_modules/.bin/oxfmt')

export const configurationPath = join(import.meta.dirname, '../../docs/configuration.md')

/** Returns docs/configuration.md, formatted. */
export async function configurationPage(): Promise<string> {
  return execFileSync(formatter, ['--stdin-filepath', configurationPath], { input: await unformattedPage(), encoding: 'utf8' })
}

async function unformattedPage(): Promise<string> {
  const example = async (name: string) => `\`\`\`yaml\n${await readFile(join(fixtures, `${name}.yaml`), 'utf8')}\`\`\``
  return `<!-- Made by test/scripts/write-configuration.ts from the schema and the tested examples. Edit those. -->

# Configuration

Ostler works without any configuration: no servers of its own, the editor's tools, and a question before every call. An agent file adds a model, a prompt,
MCP servers, and rules for what their tools may do. What the rules mean is in [policies.md](policies.md); this page says what may stand in the file.

\`\`\`sh
ostler init              # writes a commented file to start from, and the schema with which editors complete it
ostler check             # is it right?
ostler check --connect   # do its servers start, with which tools, and where does each setting come from?
ostler schema            # the JSON Schema by itself
\`\`\`

## Where it is

The first of these holds, and only that one:

1. the file named by \`--agent FILE\`
2. the file named by the variable \`OSTLER_AGENT\`
3. \`ostler.yaml\`, \`ostler.yml\`, \`ostler.json\` or \`ostler.jsonc\` in \`$XDG_CONFIG_HOME/ostler\`, or in \`~/.config/ostler\` where \`XDG_CONFIG_HOME\` is not set

Ostler **never takes one from the working directory**. An agent file names programs to start, so opening a stranger's project would start a stranger's
programs. A project's own file is used where you name it: \`ostler acp --agent ./ostler.yaml\`.

## Precedence

For each field by itself, the first that says something has it:

1. a flag of the command line (\`--model\`)
2. an environment variable (\`OSTLER_…\`)
3. the agent file
4. what is built in

How a tool may be used is put together from several places of the file in the same manner: see [merging](policies.md#merging).

## Changes while an agent runs

A running agent looks at the file twice a second, also for one that did not exist when it started. New sessions use \`approval\` and \`storedServers\` as they are
then; everything else holds for agents that start afterwards. The log names the fields that changed (\`--log-level info\`). A file that is not valid, or that is gone,
changes nothing, and a warning says where it is wrong. Open sessions keep their settings. Where new sessions would ask less, each open one says so.

## Values

Names are in camelCase and told apart by case. What is wrong is told all at once, each with its line, what was found and what is allowed.

### Durations

\`30s\`, \`500ms\`, \`2m\`, \`1h\`, \`1d\`, ISO 8601 without years and months (\`PT30S\`, \`P0DT0H0M30S\`), or a number of milliseconds. Their bounds are checked.

### Variables in values

\`\${NAME}\` in any text stands for the environment variable of that name, \`\${NAME:-default}\` for the default when it is unset or empty, and \`$$\` for a dollar
sign. A variable that is not set and has no default is an error that names the field. Keys and passwords are best kept out of the file this way.

### Environment overrides

A variable that begins with \`OSTLER_\` takes the place of a field, with or without a file. \`__\` goes one level down. Words are matched without regard to case and
to what stands between them:

| Variable | Field |
| --- | --- |
| \`OSTLER_MODEL=ollama/qwen3\` | \`model\` |
| \`OSTLER_MCP_SERVERS__CUSTOMERS__MODE=dynamic\` | \`mcpServers.customers.mode\` |
| \`OSTLER_TOOLBOX__MAX_CONCURRENT=4\` | \`toolbox.maxConcurrent\` |
| \`OSTLER_APPROVAL__TRUSTED_TOOLS='["files:*"]'\` | \`approval.trustedTools\` |

What is not text is read as JSON, so a list or an object is given as a whole. The value is taken as it is: \`\${…}\` is not filled in. A variable with \`__\` in it
that leads to no field is an error; one without is left alone. \`OSTLER_AGENT\` names the file and is no field, nor is \`OSTLER_SECRET_STORE\` (below).

## Fields

Where \`mode\` is \`dynamic\`, \`defaultToolConfig\` is required.

${configurationFields()}

## Stored servers

Servers need not stand in the file. Those that are added with \`ostler mcp\`, in the console or by a program (\`openServerService\`) are kept in the state
directory, for every agent that uses it, and are the agent's own servers like those of the file:

- An entry is what it would be in \`mcpServers\`. \`mode\` is \`dynamic\` and \`defaultToolConfig\` is \`{}\` where it does not say; \`required\` counts for
  nothing: no stored server keeps an agent from starting. \`toolbox.tools\` of the file speaks of their tools, too.
- Running agents see what is added, changed, switched off or removed within two seconds, in all their sessions.
- A server of the file stands in front of a stored one of the same name, even when it is switched off there. \`storedServers\` chooses among the others.
- Credentials are taken out of an entry before it is stored: bearer tokens, keys, passwords, what looks like a secret in variables, headers, arguments and
  addresses, and what you mark. In their place stands \`\${secret:LABEL}\`. They go to the system keyring, or where there is none to a file that is
  encrypted; never into the database, and never anywhere in clear. \`OSTLER_SECRET_STORE=file\` passes the keyring over.
- \`\${NAME}\` in a stored entry is filled in when the server is connected, from the environment of the Ostler that connects it.
- A call that you make yourself, with \`ostler mcp call\` or in the console, is not asked about: you have asked for it. It is checked, limited and recorded like
  every other, with the rule \`person:command\` or \`person:console\`.

## Examples

Strict: the server may offer only what is listed.

${await example('minimal-strict')}

Dynamic: whatever it offers is let in, within the default limits.

${await example('minimal-dynamic')}

Mixed, which is recommended: dynamic for what you trust, strict for what you do not.

${await example('mixed')}

## \`ostler check --json\`

One object on standard output and nothing else there; the exit code is 0 when \`ok\` is true and 1 when it is not.

| Field | |
| --- | --- |
| \`ok\` | Whether the agent would start. |
| \`file\`, \`foundBy\` | The agent file, or null; \`flag\`, \`OSTLER_AGENT\`, \`default\` or \`none\`. |
| \`connected\` | Whether servers were connected (\`--connect\`). |
| \`agent\` | \`name\` and \`approvalMode\`; null when the file cannot be used at all. |
| \`model\` | \`id\`, whether it could be asked (\`ready\`: its provider is known, and there is a key if it needs one; nobody is asked), and as \`reason\` why not; null as \`agent\` is. |
| \`state\` | \`directory\`, and how many \`grants\` are kept there; null for what there is not. |
| \`servers[]\` | \`name\`, \`source\` (\`file\`, \`stored\`), \`type\`, \`mode\`, \`required\`, \`origin\` (command line or address), \`place\` (\`FILE:LINE:COLUMN\`, or \`stored\`), \`state\` (\`connected\`, \`failed\`, \`not-connected\`, \`disabled\`, \`unused\`), \`connectMs\`, \`reason\`, \`tools\`. |
| \`secretStore\` | \`kind\` (\`keyring\`, \`file\`, \`memory\`), and as \`problem\` why it is not a better one; null where nothing is kept yet. |
| \`servers[].tools[]\`, \`localTools[]\` | \`name\`, and \`maxInstances\`, \`timeoutMs\`, \`include\`, \`approval\`, each with \`value\`, \`source\` (\`toolbox.tools[0]\`, \`mcpServers.NAME.defaultToolConfig\`, \`mcpServers.NAME.include\`, \`built-in\`) and, where it stands in a file or a variable, \`place\`. An \`approval\` of null is left to the approval mode. |
| \`problems[]\` | What keeps the agent from starting, in the words of a start. |
| \`warnings[]\` | What does not. |

The values of variables, headers and credentials are in none of it. Modules of \`localTools\` are run with \`--connect\` only; without it they are only looked for.

## Coming from \`myai.toolbox\`

The names of the earlier design, in snake_case, become these:

| Before | Now |
| --- | --- |
| \`myai.toolbox.max_concurrent\` | \`toolbox.maxConcurrent\` |
| \`myai.toolbox.tools[].max_instances\` | \`toolbox.tools[].maxInstances\` |
| \`myai.toolbox.tools[].timeout\` | \`toolbox.tools[].timeout\`, the same durations |
| \`myai.toolbox.mcps[].name\` | the name in \`mcpServers\`: \`mcpServers.NAME\` |
| \`myai.toolbox.mcps[].url\` | \`mcpServers.NAME.url\` |
| \`myai.toolbox.mcps[].transport: streamable_http\` | \`mcpServers.NAME.type: http\` |
| \`myai.toolbox.mcps[].mode\` | \`mcpServers.NAME.mode\` |
| \`myai.toolbox.mcps[].default_tool_config.max_instances\` | \`mcpServers.NAME.defaultToolConfig.maxInstances\` |
| \`myai.toolbox.mcps[].default_tool_config.timeout\` | \`mcpServers.NAME.defaultToolConfig.timeout\` |
| \`myai.toolbox.mcps[].prompts\` | \`mcpServers.NAME.prompts\`; without it every prompt of a server is a slash command |
| \`APP_MYAI__TOOLBOX__MCPS__0__MODE\` | \`OSTLER_MCP_SERVERS__NAME__MODE\` |

And three things behave otherwise: a server that cannot be reached stops the start only with \`required: true\`; a tool that two servers offer stays callable on both;
plain http beyond this machine needs \`allowInsecureHttp: true\`.
`
}
