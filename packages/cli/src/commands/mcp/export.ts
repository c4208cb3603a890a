import { locateAgentFile, revealServers, type ServerEntryInput, type ServerService, type ServerView } from '@ostler/agent-api'
import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { toShown } from '../../terminal/format-table.ts'
import { requireStateDir } from '../../state/open-state.ts'
import { printJson } from '../../terminal/print-json.ts'
import { mcpExportCommand } from '../specs/mcp-servers.ts'
import { toMcpServersEntry, withVariables } from './export-entry.ts'
import { withService } from './with-service.ts'

export async function runMcpExport(args: readonly string[]): Promise<number> {
  const line = readCommandLine(mcpExportCommand, args)
  if (line === undefined) return 0
  const { values, words } = line
  const { format } = values
  if (format !== 'mcpServers' && format !== 'ostler') throw usageError(mcpExportCommand, '--format must be mcpServers or ostler')
  return withService(values, async (service) => {
    const servers = await chooseServers(service, words)
    const entries = values['with-secrets'] ? await revealed(servers, values) : withVariables(servers)
    const written = [...entries].map(([name, entry]) => [name, format === 'ostler' ? entry : toMcpServersEntry(entry)] as const)
    printJson({ mcpServers: Object.fromEntries(written) })
    if (values['with-secrets']) process.stderr.write('ostler: this holds secrets as they are\n')
    return 0
  })
}

/** Those that are named, or those that the agent would use. */
async function chooseServers(service: ServerService, names: readonly string[]): Promise<readonly ServerView[]> {
  if (names.length === 0) return (await service.listServers()).filter(({ shadowed }) => !shadowed)
  const chosen: ServerView[] = []
  for (const name of new Set(names)) chosen.push(await service.getServer(name))
  return chosen
}

interface ExportPlaces {
  readonly agent?: string | undefined
  readonly 'state-dir'?: string | undefined
}

async function revealed(
  servers: readonly ServerView[],
  { agent, 'state-dir': stateDir }: ExportPlaces,
): Promise<Map<string, ServerEntryInput>> {
  const file = locateAgentFile(agent, process.env).path
  const entries = await revealServers({
    env: process.env,
    stateDir: requireStateDir(stateDir, process.env),
    ...(file !== undefined && { file }),
  })
  return new Map(servers.map(({ id, name }) => [toShown(name), entries.get(id) ?? {}]))
}
