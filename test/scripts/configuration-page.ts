import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { earlierNames } from '../../packages/agent-api/src/config/earlier-names.ts'
import { configurationFields } from './configuration-fields.ts'

const fixtures = join(import.meta.dirname, '../fixtures/agent-files')
const formatter = join(import.meta.dirname, '../../node_modules/.bin/oxfmt')

export const configurationPath = join(import.meta.dirname, '../../docs/configuration.md')

/** Returns docs/configuration.md, formatted. */
export async function configurationPage(): Promise<string> {
  return execFileSync(formatter, ['--stdin-filepath', configurationPath], {
    input: await unformattedPage(),
    encoding: 'utf8',
  })
}

async function unformattedPage(): Promise<string> {
  const example = async (name: string, language = 'yaml') =>
    `\`\`\`${language}\n${await readFile(join(fixtures, name), 'utf8')}\`\`\``
  return `<!-- Made by test/scripts/write-configuration.ts from the schema and the tested examples. Edit those. -->

# Configuration

Ostler works without any configuration. It then has no servers of its own, uses its [built-in tools](tools.md), and asks before every call that does more than read. An agent file adds a model, a system
prompt, MCP servers, and rules for their tools. [policies.md](policies.md) explains the rules. This page lists the fields of the file.

\`\`\`sh
ostler init              # writes a commented template, and its schema for completion in editors
ostler check             # validates the file
ostler check --connect   # also starts its servers, and shows their tools and the source of each setting
ostler schema            # prints the JSON Schema
\`\`\`

## Location

Ostler uses the first of these files, and only that one:

1. the file named by \`--agent FILE\`
2. the file named by the variable \`OSTLER_AGENT\`
3. \`ostler.yaml\`, \`ostler.yml\`, \`ostler.json\` or \`ostler.jsonc\` in \`$XDG_CONFIG_HOME/ostler\`, or in \`~/.config/ostler\` if \`XDG_CONFIG_HOME\` is not set

Ostler **never reads an agent file from the working directory**. An agent file names programs to start, so opening somebody else's project would start their
programs. To use a project's file, name it: \`ostler acp --agent ./ostler.yaml\`.

## Precedence

For each field, the first of these that sets it wins:

1. a command line option (\`--model\`)
2. an environment variable (\`OSTLER_…\`)
3. the agent file
4. the built-in default

The settings of a tool are merged from several places of the file in the same way: see [merging](policies.md#merging).

## Changes while an agent runs

A running agent notices a change of the file within two seconds, even if the file did not exist at start ([how](speed.md#an-agent-with-nothing-to-do)). \`storedServers\` applies to all sessions, \`approval\` to new sessions. All other
changes apply when an agent restarts. The log names the changed fields (\`--log-level info\`). An invalid or deleted file changes nothing, and a warning names the
problem. Open sessions keep their approval settings. If new sessions would ask less often, each open session says so.

## Values

Names are in camelCase and case-sensitive. Errors are reported together, each with its line, the value found, and the values allowed. This includes all errors
of an entry with a wrong \`type\`.

### Durations

\`30s\`, \`500ms\`, \`2m\`, \`1h\`, \`1d\`, ISO 8601 without years and months (\`PT30S\`, \`P0DT0H0M30S\`), or a number of milliseconds. Values outside the limits are errors.

### Variables in values

In any text, \`\${NAME}\` inserts an environment variable. \`\${NAME:-default}\` inserts the default if the variable is unset or empty, and \`$$\` inserts a dollar sign. An
unset variable without a default is an error that names the field. Use variables to keep keys and passwords out of the file.

### Environment overrides

A variable that begins with \`OSTLER_\` overrides a field, even without a file. \`__\` separates levels. Words are matched regardless of case and separators:

| Variable | Field |
| --- | --- |
| \`OSTLER_MODEL=ollama/qwen3\` | \`model\` |
| \`OSTLER_MCP_SERVERS__CUSTOMERS__MODE=dynamic\` | \`mcpServers.customers.mode\` |
| \`OSTLER_TOOLBOX__MAX_CONCURRENT=4\` | \`toolbox.maxConcurrent\` |
| \`OSTLER_TOOLS__RUN_COMMAND=false\` | \`tools.run_command\` |
| \`OSTLER_APPROVAL__TRUSTED_TOOLS='["files:*"]'\` | \`approval.trustedTools\` |

If a field is not text, its value is parsed as JSON, so a list or an object is set as a whole. The value is used as it is: \`\${…}\` is not expanded. A variable with \`__\`
that matches no field is an error. Without \`__\`, it is ignored. \`OSTLER_AGENT\` (the file) and \`OSTLER_SECRET_STORE\` (below) are not fields.

### Servers from a README

The \`mcpServers\` block in the README of a server works unchanged, also in a YAML file. It needs no \`mode\`: an entry that has only \`type\`, \`command\`, \`args\`, \`env\`,
\`cwd\`, \`url\`, \`headers\` and \`disabled\` counts as \`mode: dynamic\` with \`defaultToolConfig: {}\`. Its tools are admitted with the default limits, and Ostler
asks before it runs one. \`ostler check\` and the log (\`--log-level info\`) say so. With any other field, \`mode\` is required.

- An entry with a \`command\` is of type \`stdio\`. An entry with a \`url\` is of type \`http\`, or \`sse\` if the path ends in \`/sse\`.
- \`streamable-http\` means \`http\`. \`transport\` means \`type\`. \`serverUrl\` and \`httpUrl\` mean \`url\`. \`disabled\` is the opposite of \`enabled\`.
  \`\${env:NAME}\` means \`\${NAME}\`.
- \`autoApprove\`, \`alwaysAllow\` and \`trust\` have no effect, and a warning says so: no entry lets its own tools run without a question. Use \`approval.trustedTools\`.
- Numbers, \`true\` and \`false\` in \`env\` are used as the text that you wrote.
- Some more fields of other programs have no effect, and a warning says so: \`startup_timeout_sec\`, \`envFile\` (the file is not read), \`gallery\`, comments.
- \`"tools": ["*"]\` means all tools. Any other list that chooses tools, such as \`disabledTools\` or \`includeTools\`, is an error: write its names in \`toolDenylist\` or
  \`toolAllowlist\`.

## Fields

${configurationFields()}

## Stored servers

Servers can also be added with \`ostler mcp\` or in the console. These stored servers are in the state directory, and available to every
agent that uses it. They are agent servers, like those of the file:

- An entry has the same fields as in \`mcpServers\`. \`required\` has no effect: a stored server
  never stops an agent from starting. \`toolbox.tools\` of the file also applies to their tools.
- Running agents apply additions, changes and removals within two seconds, in all their sessions.
- A server of the file overrides the stored server of the same name, even if it is disabled in the file. \`storedServers\` selects among the others.
- Before an entry is stored, its secrets are replaced by \`\${secret:LABEL}\`: bearer tokens, keys, passwords, values that look like secrets in variables, headers, arguments
  and addresses, and values you mark. The secrets go to the system keyring, or else to an encrypted file. They are never stored in the database or as plain text.
  \`OSTLER_SECRET_STORE=file\` skips the keyring.
- \`\${NAME}\` in a stored entry is expanded when the server is connected, from the environment of the Ostler process that connects it.
- A call that you make yourself, with \`ostler mcp call\` or in the console, needs no approval. It is checked, limited and recorded like any other, with the rule
  \`person:command\` or \`person:console\`.

## Examples

Strict: the server may offer only the listed tools.

${await example('minimal-strict.yaml')}

Dynamic: all its tools are admitted, with the default limits.

${await example('minimal-dynamic.yaml')}

Mixed (recommended): dynamic for servers you trust, strict for others.

${await example('mixed.yaml')}

Its local tool is a module beside it. \`@ostler/agent-api\` need not be installed there: a module of \`localTools\` always gets \`defineTool\`, \`textResult\`, \`errorResult\`
and \`OstlerError\` from it.

${await example('sum-numbers.mjs', 'js')}

## \`ostler check --json\`

This prints one JSON object and nothing else to standard output. The exit code is 0 if \`ok\` is true, and 1 otherwise.

| Field | |
| --- | --- |
| \`ok\` | Whether the agent would start. |
| \`file\`, \`foundBy\` | The path of the agent file, or null. How it was found: \`flag\`, \`OSTLER_AGENT\`, \`default\` or \`none\`. |
| \`connected\` | Whether servers were connected (\`--connect\`). |
| \`agent\` | \`name\` and \`approvalMode\`. Null if the file cannot be used at all. |
| \`model\` | \`id\`, \`ready\` (the provider is known, and there is a key if it needs one; no request is sent), and \`reason\` if it is not ready. Null if \`agent\` is. |
| \`state\` | \`directory\`, and the number of \`grants\` in it. Null for what does not exist. |
| \`servers[]\` | \`name\`, \`source\` (\`file\`, \`stored\`), \`type\`, \`mode\`, \`required\`, \`origin\` (command line or address), \`place\` (\`FILE:LINE:COLUMN\`, or \`stored\`), \`state\` (\`connected\`, \`failed\`, \`not-connected\`, \`disabled\`, \`unused\`), \`connectMs\`, \`reason\`, \`tools\`. |
| \`secretStore\` | \`kind\` (\`keyring\`, \`file\`, \`memory\`), and \`problem\`, the reason for not using a better one. Null if nothing is stored yet. |
| \`builtinTools[]\` | \`name\`; \`call\`: \`allow\`, \`ask\`, \`deny\` or \`off\`, for a call in the session's directories; the \`rule\` that decides; and \`place\`, if the rule comes from the file or a variable. |
| \`servers[].tools[]\`, \`localTools[]\` | \`name\`, and \`maxInstances\`, \`timeoutMs\`, \`include\`, \`approval\`, each with \`value\`, \`source\` (\`toolbox.tools[0]\`, \`mcpServers.NAME.defaultToolConfig\`, \`mcpServers.NAME.include\`, \`built-in\`) and, if it comes from a file or a variable, \`place\`. If \`approval\` is null, the approval mode decides. |
| \`problems[]\` | The errors that would stop the start. |
| \`warnings[]\` | All other problems. |
| \`notes[]\` | What was assumed or not checked: the mode of pasted entries, and local tools without \`--connect\`. |

It never contains values of variables, headers or credentials. Modules of \`localTools\` run only with \`--connect\`; without it, Ostler only checks that they exist, and says so.

## Coming from \`myai.toolbox\`

The snake_case names of the earlier design map to these:

| Before | Now |
| --- | --- |
${Object.entries(earlierNames)
  .map(([before, now]) => `| \`myai.${before}\` | \`${now}\` |`)
  .join('\n')}
| \`APP_MYAI__TOOLBOX__MCPS__0__MODE\` | \`OSTLER_MCP_SERVERS__NAME__MODE\` |

\`ostler check\` names the line of each such field, and what to write instead. The [glossary](glossary.md#names-in-the-designs) has the names of the code. These things behave
differently:

- An entry as it is in a README needs no \`mode\`. A stored server is dynamic with the defaults, unless its entry says otherwise.
- A server that cannot be reached stops the start only with \`required: true\`.
- A tool that two servers offer can be called on both, under the server's name, instead of only on the last one.
- A configured tool that is gone is reported with its server if the entry names one or there is only one. Otherwise, the report says that no server offers it.
- \`include\` does not apply to the editor's servers: their tools are always offered. The search of the others compares words and known relations between words. No model is asked.
- A session server replaces the agent's server of its name, even while it is not connected.
- Plain http to other machines needs \`allowInsecureHttp: true\`. A bearer token is always a header, also over SSE, and never part of an address.
- The names of tools and servers are free. The model reads a cleaned form of them.
- The console starts stdio servers itself, after you have confirmed their command line.
`
}
