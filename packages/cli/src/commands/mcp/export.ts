import type { ServerEntryInput, ServerService, ServerView } from '@ostler/agent-api/manage'
import { defineCommand } from '../../command-line/command.ts'
import { placeFlags } from './server-flags.ts'
import { usageError } from '../../command-line/usage-error.ts'
import { agentFileOf, requireStateDir, type Places } from '../../state/places.ts'
import type { Io } from '../../terminal/io.ts'
import { toShown } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { toMcpServersEntry, withVariables } from './export-entry.ts'
import { withService } from './with-service.ts'

export const command = defineCommand({
  synopsis: ['[NAME...] [options]'],
  about: 'Prints all servers, or those you name, as JSON. Secrets are printed as ${NAME}, to be set in the environment.',
  flags: {
    format: {
      type: 'string',
      default: 'mcpServers',
      value: 'FORMAT',
      help: 'mcpServers (default), for most programs, or ostler, for an agent file',
      completion: ['mcpServers', 'ostler'],
    },
    'with-secrets': { type: 'boolean', default: false, help: 'Print the real secrets' },
    ...placeFlags,
  },
  words: ['server'],
  async run(io, { values, words }) {
    const { format } = values
    if (format !== 'mcpServers' && format !== 'ostler') throw usageError('--format must be mcpServers or ostler')
    return withService(io, values, async (service) => {
      const servers = await chooseServers(service, words)
      const entries = values['with-secrets'] ? await revealed(io, servers, values) : withVariables(servers)
      const written = [...entries].map(([name, entry]) => [name, format === 'ostler' ? entry : toMcpServersEntry(entry)] as const)
      printJson(io, { mcpServers: Object.fromEntries(written) })
      if (values['with-secrets']) io.stderr.write('ostler: the output contains secrets\n')
    })
  },
})

/** The named servers, or those that the agent would use. */
async function chooseServers(service: ServerService, names: readonly string[]): Promise<readonly ServerView[]> {
  if (names.length === 0) return (await service.listServers()).filter(({ shadowed }) => !shadowed)
  const chosen: ServerView[] = []
  for (const name of new Set(names)) chosen.push(await service.getServer(name))
  return chosen
}

async function revealed(io: Io, servers: readonly ServerView[], places: Places): Promise<Map<string, ServerEntryInput>> {
  const file = agentFileOf(io, places).path
  const { revealServers } = await import('./open-service.ts')
  const entries = await revealServers({ env: io.env, stateDir: requireStateDir(io, places), ...(file !== undefined && { file }) })
  return new Map(servers.map(({ id, name }) => [toShown(name), entries.get(id) ?? {}]))
}
