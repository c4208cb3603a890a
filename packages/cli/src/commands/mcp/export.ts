import type { ServerEntryInput, ServerList, ServerView } from '@ostler/workbench'
import { defineCommand, switchFlag, textFlag, usageError } from '../../command-line/command.ts'
import { printJson } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'
import { toMcpServersEntry, withVariables } from './export-entry.ts'
import { placeFlags, withServers } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['[NAME...] [options]'],
  about:
    'Prints all servers, or those you name, as JSON. Secrets are printed as ${NAME}, to be set in the environment.',
  flags: {
    format: textFlag('FORMAT', 'mcpServers (default), for most programs, or ostler, for an agent file', {
      default: 'mcpServers',
      completion: ['mcpServers', 'ostler'],
    }),
    'with-secrets': switchFlag('Print the real secrets'),
    ...placeFlags,
  },
  words: ['server'],
  async run(io, { values, words }) {
    const { format } = values
    if (format !== 'mcpServers' && format !== 'ostler')
      throw usageError('--format must be mcpServers or ostler')
    return withServers(io, values, async (list) => {
      const servers = await chooseServers(list, words)
      const entries = values['with-secrets'] ? await revealed(list, servers) : withVariables(servers)
      const written = [...entries].map(
        ([name, entry]) => [name, format === 'ostler' ? entry : toMcpServersEntry(entry)] as const,
      )
      printJson(io, { mcpServers: Object.fromEntries(written) })
      if (values['with-secrets']) io.stderr.write('ostler: the output contains secrets\n')
    })
  },
})

/** The named servers, or those that the agent would use. */
async function chooseServers(list: ServerList, names: readonly string[]): Promise<readonly ServerView[]> {
  if (names.length === 0) return (await list.listServers()).filter(({ shadowed }) => !shadowed)
  const chosen: ServerView[] = []
  for (const name of new Set(names)) chosen.push(await list.getServer(name))
  return chosen
}

async function revealed(
  list: ServerList,
  servers: readonly ServerView[],
): Promise<Map<string, ServerEntryInput>> {
  const entries = await list.revealServers()
  return new Map(servers.map(({ id, name }) => [toShown(name), entries.get(id) ?? {}]))
}
