import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { CommandEntry } from '../../packages/cli/src/command-line/command.ts'
import { toUsage } from '../../packages/cli/src/command-line/to-usage.ts'
import { ostler } from '../../packages/cli/src/commands.ts'

const formatter = join(import.meta.dirname, '../../node_modules/.bin/oxfmt')

export const commandsPath = join(import.meta.dirname, '../../docs/commands.md')

/** Returns docs/commands.md, formatted. */
export async function commandsPage(): Promise<string> {
  return execFileSync(formatter, ['--stdin-filepath', commandsPath], {
    input: await unformattedPage(),
    encoding: 'utf8',
  })
}

async function unformattedPage(): Promise<string> {
  const commands = shown(ostler)
  const sections = await Promise.all(commands.map(toSection))
  return `<!-- Made by test/scripts/write-commands.ts from the descriptions of the commands. Edit those. -->

# The command line

${table(commands)}

## Conventions

- The exit code is **0** on success, **1** on failure, and **2** for an invalid command line. After Ctrl-C it is 130, or 0 for \`ostler console\`.
  It is 141 if the reader closes the output early (\`| head\`); the command still finishes its work, except [\`ostler run\`](#ostler-run), which cancels the prompt, and has more exit codes.
- If an option is given twice, the last one is used.
- Results go to standard output. Questions, progress and errors go to standard error; errors begin with \`ostler:\`. An unexpected error is one line.
  \`OSTLER_DEBUG=1\` shows its details.
- Tables are for people and may change. \`--json\` is for programs: one JSON value. New versions may add fields, but do not remove any.
- On a terminal, a command that takes more than a second shows what it waits for.
- Output of servers and models cannot move the cursor of your terminal, change its colors or hide text. In a pipe, \`mcp call\` and \`mcp read\` print it unchanged, with a line break at the end.
- Secrets are redacted in all output. The only exception is \`mcp export --with-secrets\`.
- You added the stored servers and those of the agent file yourself. So \`mcp test\`, \`tools\`, \`call\`, \`resources\`, \`read\` and \`prompts\` start them without
  asking. \`mcp import\` reads settings of other programs, so it shows them and asks first.
- Read-only commands create nothing, and work with a read-only state directory or a full disk. Commands ask only on a terminal; without one, they need \`--yes\`.

[configuration.md](configuration.md) describes the location of the state directory and of the agent file.

${sections.join('\n\n')}

## Output of \`--json\`

| Command | |
| --- | --- |
| \`check\` | described in [configuration.md](configuration.md#ostler-check---json) |
| \`mcp list\` | \`{ servers }\`, each with \`id\`, \`name\`, \`origin\` (\`file\`, \`stored\`), \`shadowed\`, \`enabled\`, \`transport\`, \`entry\` (\`\${secret:LABEL}\` where a secret belongs), \`secrets\`, \`secretStore\` |
| \`mcp get\`, \`mcp add\`, \`mcp update\` | the server, as in the list |
| \`mcp enable\`, \`mcp disable\` | \`{ servers }\`, the changed ones, as in the list |
| \`mcp remove\` | \`{ removed }\`, the names |
| \`mcp add-from-registry\` | a preview: the server's data, \`use\` (the way), \`runs\` or \`url\`, \`inputs\`, \`notes\`; with \`--yes\`, the stored server, as in the list |
| \`mcp login\`, \`mcp logout\` | \`{ server, loggedIn, secretStore }\`; \`{ server, wasLoggedIn }\` |
| \`mcp check\` | \`{ ok, problems, generations, offer, schemas }\`, with exit code 1 if there are problems |
| \`mcp test\` | \`{ ok, name, server, phases, tools, resources, prompts, warnings }\`, or \`{ ok: false, name, reason, output }\` with exit code 1; with \`--learn\`, \`{ ok, name, reason, hosts, paths, sandbox }\` |
| \`mcp tools\`, \`mcp resources\`, \`mcp prompts\` | \`{ tools }\`, \`{ resources }\`, \`{ prompts }\`; with TOOL or PROMPT, that one |
| \`mcp call\` | \`{ callId, outcome, result }\`; \`outcome\` is \`success\`, \`error\`, \`invalid\`, \`denied\` or \`cancelled\` |
| \`mcp read\` | \`{ contents }\` |
| \`mcp import\` | \`{ sources, servers, skipped, inputs, stored }\`; nothing is stored without \`--yes\` |
| \`mcp export\` | \`{ mcpServers }\`, with or without \`--json\` |
| \`history\` | \`{ calls, next }\`; \`next\` is for \`--before\`, and null on the last page |
| \`history stats\` | \`{ statistics }\`, each with \`day\`, \`server\`, \`tool\` (null with \`--by server\`), \`calls\`, \`errors\`, \`denied\`, \`p50Ms\`, \`p95Ms\` |
| \`history show\` | the call, with \`arguments\`, \`result\`, \`resultBytes\`, \`decision\`, \`rule\` |
| \`sessions list\` | \`{ sessions, next }\`; \`next\` is for \`--after\`, and null on the last page |
| \`sessions show\`, \`sessions export --format json\` | \`{ session, entries, calls }\` |
| \`sessions delete\`, \`history clear\` | \`{ deleted }\`: the IDs of the sessions, the number of calls |
| \`grants list\` | \`{ agent, grants }\` |
| \`grants revoke\` | \`{ agent, revoked, unknown }\`, the IDs; with \`--all\`, without \`unknown\` |
| \`run\` | events: [terminal.md](terminal.md#events) |
| \`doctor\` | \`{ ok, findings }\`: [terminal.md](terminal.md#when-something-does-not-work) |
| \`init\` | \`{ file, schema }\`, the paths |
| \`editor\` | \`{ editor, place, text }\`; with \`--write\`, \`{ editor, file, changed }\` and, if there is one, \`backup\` and \`nextStep\` |
`
}

function shown({ subcommands = [] }: CommandEntry): readonly CommandEntry[] {
  return subcommands.filter(({ summary }) => summary !== undefined)
}

async function toSection(entry: CommandEntry): Promise<string> {
  const subcommands = await Promise.all(
    shown(entry).map(async (sub) => `### ${await toHelp(sub, `ostler ${entry.name} ${sub.name}`)}`),
  )
  return [`## ${await toHelp(entry, `ostler ${entry.name}`)}`, ...subcommands].join('\n\n')
}

async function toHelp({ load, subcommands }: CommandEntry, path: string): Promise<string> {
  const { command } = await load()
  return `\`${path}\`\n\n\`\`\`\n${toUsage(path, command, subcommands)}\`\`\``
}

function table(commands: readonly CommandEntry[]): string {
  return [
    '| Command | |',
    '| --- | --- |',
    ...commands.map(({ name, summary }) => `| [\`${name}\`](#ostler-${name}) | ${summary} |`),
  ].join('\n')
}
