import { toEntryOrigin, type ServerView } from '@ostler/workbench'
import { defineCommand } from '../../command-line/command.ts'
import { formatList, headerOf, print, warn, type Cell } from '../../terminal/print.ts'
import { problemOf, secretStoreNames } from './server-rows.ts'
import { serverFlags, withServers } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['[options]'],
  about: 'Lists the servers of the agent file and the stored servers. Nothing is started.',
  flags: serverFlags,
  async run(io, { values }) {
    return withServers(io, values, async (list) => {
      const servers = await list.listServers()
      print(io, values, { servers }, () => formatServers(servers))
      if (values.json) return
      for (const server of servers) {
        const problem = problemOf(server)
        if (problem !== undefined) warn(io, `${server.name}: ${problem}`)
      }
    })
  },
})

function formatServers(servers: readonly ServerView[]): string {
  // The column is only shown if a server needs a login.
  const logins = servers.some((server) => toLogin(server) !== '') ? ['LOGIN'] : []
  const header = headerOf('NAME', 'FROM', 'TRANSPORT', 'ENABLED', 'SECRETS', ...logins, 'RUNS')
  const rows = servers.map((server) => toRow(server, logins.length > 0))
  return formatList([header, ...rows], 'No servers. Use `ostler mcp add` to store one.')
}

function toRow(server: ServerView, hasLogins: boolean): Cell[] {
  const { name, origin, shadowed, transport, enabled, secrets, secretStore, entry } = server
  const from = origin === 'file' ? 'agent file' : 'stored'
  return [
    name,
    shadowed ? { text: `${from}, overridden by the agent file`, style: 'dim' } : from,
    transport,
    enabled ? { text: 'yes', style: 'green' } : { text: 'no', style: 'dim' },
    secrets.length === 0
      ? ''
      : `${secrets.length}${secretStore === undefined ? '' : ` in ${secretStoreNames[secretStore]}`}`,
    ...(hasLogins ? [toLogin(server)] : []),
    toEntryOrigin(entry),
  ]
}

function toLogin({ login, status }: ServerView): Cell {
  if (status.needsLogin === true || login === 'needed') return { text: 'needs login', style: 'yellow' }
  return login === 'done' ? { text: 'logged in', style: 'green' } : ''
}
