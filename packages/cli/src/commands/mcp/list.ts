import { toEntryOrigin, type ServerView } from '@ostler/agent-api'
import { readCommandLine } from '../../command-line/command-line.ts'
import { formatTable, toShown, type Cell } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { mcpListCommand } from '../specs/mcp-servers.ts'
import { secretStoreNames } from './secret-store-names.ts'
import { withService } from './with-service.ts'

export async function runMcpList(args: readonly string[]): Promise<number> {
  const line = readCommandLine(mcpListCommand, args)
  if (line === undefined) return 0
  return withService(line.values, async (service) => {
    const servers = await service.listServers()
    if (line.values.json) {
      printJson({ servers })
      return 0
    }
    process.stdout.write(servers.length === 0 ? 'There are no servers. `ostler mcp add` stores one.\n' : `${formatServers(servers)}\n`)
    for (const { name, status } of servers) {
      if (status.state === 'error') process.stderr.write(`ostler: ${toShown(`${name}: ${status.reason ?? 'it cannot be used'}`)}\n`)
    }
    return 0
  })
}

function formatServers(servers: readonly ServerView[]): string {
  // Most servers want no login, and most lists have no such column.
  const logins = servers.some((server) => toLogin(server) !== '') ? ['LOGIN'] : []
  const header = ['NAME', 'FROM', 'TRANSPORT', 'ENABLED', 'SECRETS', ...logins, 'RUNS'].map((text): Cell => ({ text, style: 'bold' }))
  return formatTable([header, ...servers.map((server) => toRow(server, logins.length > 0))])
}

function toRow(server: ServerView, hasLogins: boolean): Cell[] {
  const { name, origin, shadowed, transport, enabled, secrets, secretStore, entry } = server
  const from = origin === 'file' ? 'agent file' : 'stored'
  return [
    name,
    shadowed ? { text: `${from}, hidden by the agent file`, style: 'dim' } : from,
    transport,
    enabled ? { text: 'yes', style: 'green' } : { text: 'no', style: 'dim' },
    secrets.length === 0 ? '' : `${secrets.length}${secretStore === undefined ? '' : ` in ${secretStoreNames[secretStore]}`}`,
    ...(hasLogins ? [toLogin(server)] : []),
    toEntryOrigin(entry),
  ]
}

function toLogin({ login, status }: ServerView): Cell {
  if (status.needsLogin === true || login === 'needed') return { text: 'needs login', style: 'yellow' }
  return login === 'done' ? { text: 'logged in', style: 'green' } : ''
}
