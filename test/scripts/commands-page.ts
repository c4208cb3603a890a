import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { CommandEntry } from '../../packages/cli/src/command-line/command.ts'
import { toUsage } from '../../packages/cli/src/command-line/to-usage.ts'
import { ostler } from '../../packages/cli/src/commands.ts'

const formatter = join(import.meta.dirname, '../../node_modules/.bin/oxfmt')

export const commandsPath = join(import.meta.dirname, '../../docs/commands.md')

/** Returns docs/commands.md, formatted. */
export async function commandsPage(): Promise<string> {
  return execFileSync(formatter, ['--stdin-filepath', commandsPath], { input: await unformattedPage(), encoding: 'utf8' })
}

async function unformattedPage(): Promise<string> {
  const commands = shown(ostler)
  const sections = await Promise.all(commands.map(toSection))
  return `<!-- Made by test/scripts/write-commands.ts from the descriptions of the commands. Edit those. -->

# The command line

${table(commands)}

## What holds for all of them

- The exit code is **0** when it worked, **1** when it did not, **2** when the command line is wrong. After Ctrl-C it is 130, but 0 for
  \`ostler console\`, whose end that is.
- What was asked for is on standard output. Questions, progress and complaints are on standard error, each complaint as \`ostler: …\`. An error
  that nobody expected is one line, and with \`OSTLER_DEBUG=1\` in the environment all that is known of it.
- Tables are for people and may change. \`--json\` is for programs: one JSON value, in which fields may be added but not taken away.
- What takes more than a second says on a terminal what it waits for.
- Nothing that a server or a model has said can move the cursor of a terminal, change its colours or hide something. In a pipe, \`mcp call\` and \`mcp read\`
  print it as it is.
- Secrets are struck from all of it; they were struck when it was stored. \`mcp export --with-secrets\` is the one exception.
- A server that is stored or stands in the agent file was put there by you: whoever names it in \`mcp test\`, \`tools\`, \`call\`, \`resources\`, \`read\` or
  \`prompts\` is not asked before it is started. What another program has written (\`mcp import\`) is shown first, and asked about.
- Looking creates nothing, and works where the state can only be read. Questions are asked on a terminal only; without one, what would ask needs \`--yes\`.

Where state is kept, and which agent file holds, is in [configuration.md](configuration.md).

${sections.join('\n\n')}

## What \`--json\` prints

| Command | |
| --- | --- |
| \`check\` | described in [configuration.md](configuration.md#ostler-check---json) |
| \`mcp list\` | \`{ servers }\`, each with \`id\`, \`name\`, \`origin\` (\`file\`, \`stored\`), \`shadowed\`, \`enabled\`, \`transport\`, \`entry\` (\`\${secret:LABEL}\` where a secret belongs), \`secrets\`, \`secretStore\` |
| \`mcp get\`, \`mcp add\`, \`mcp add-json\`, \`mcp update\` | the server, as in the list |
| \`mcp test\` | \`{ ok, name, server, phases, tools, resources, prompts, warnings }\`, or \`{ ok: false, name, reason, output }\` with exit code 1 |
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
| \`grants list\` | \`{ agent, grants }\` |
`
}

function shown({ subcommands = [] }: CommandEntry): readonly CommandEntry[] {
  return subcommands.filter(({ summary }) => summary !== undefined)
}

async function toSection(entry: CommandEntry): Promise<string> {
  const subcommands = await Promise.all(shown(entry).map(async (sub) => `### ${await toHelp(sub, `ostler ${entry.name} ${sub.name}`)}`))
  return [`## ${await toHelp(entry, `ostler ${entry.name}`)}`, ...subcommands].join('\n\n')
}

async function toHelp({ load, subcommands }: CommandEntry, path: string): Promise<string> {
  const { command } = await load()
  return `\`${path}\`\n\n\`\`\`\n${toUsage(path, command, subcommands)}\`\`\``
}

function table(commands: readonly CommandEntry[]): string {
  return ['| Command | |', '| --- | --- |', ...commands.map(({ name, summary }) => `| [\`${name}\`](#ostler-${name}) | ${summary} |`)].join(
    '\n',
  )
}
