import { didYouMean } from '../base/did-you-mean.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import type { ServerReport } from '../messages/turn-event.ts'

export type McpCommand =
  | { readonly type: 'show' }
  | { readonly type: 'reconnect'; readonly clients: readonly McpClient[] }
  /** Answered with a sentence. */
  | { readonly type: 'answer'; readonly text: string }

const usage = 'Use `/mcp` to list the servers, or `/mcp reconnect [server]`.'

/** Parses the words after `/mcp`. Without a name, `reconnect` applies to all servers that are not connected. */
export function parseMcpCommand(input: string, clients: ReadonlyMap<string, McpClient>, rejected: ServerReport['failed'] = []): McpCommand {
  const [, verb, name = ''] = /^(\S+)\s*([^]*)$/.exec(input.trim()) ?? []
  if (verb === undefined) return { type: 'show' }
  if (verb !== 'reconnect') return answer(`There is no \`/mcp ${verb}\`.`, didYouMean(verb, ['reconnect']), usage)
  if (name === '') {
    const away = [...clients.values()].filter(({ status }) => status.state !== 'connected')
    if (away.length > 0) return { type: 'reconnect', clients: away }
    return answer(clients.size === 0 ? 'This session has no MCP servers.' : 'All MCP servers are connected.')
  }
  const client = clients.get(name)
  if (client !== undefined) return { type: 'reconnect', clients: [client] }
  const refused = rejected.find(({ server }) => server === name)
  if (refused !== undefined) return answer(`The MCP server '${name}' cannot be connected: ${refused.reason}`)
  const names = [...clients.keys()]
  return answer(
    `There is no MCP server '${name}'.`,
    didYouMean(name, names),
    names.length === 0 ? 'This session has no MCP servers.' : `Servers: ${names.join(', ')}.`,
  )
}

function answer(text: string, near?: string, otherwise?: string): McpCommand {
  const more = near === undefined ? otherwise : `Did you mean \`${near}\`?`
  return { type: 'answer', text: more === undefined ? text : `${text} ${more}` }
}

/** Reduces a report to the given servers. */
export function reportAbout(names: ReadonlySet<string>, { connected, waiting, failed }: ServerReport): ServerReport {
  return {
    connected: connected.filter(({ server }) => names.has(server)),
    waiting: waiting.filter((server) => names.has(server)),
    failed: failed.filter(({ server }) => names.has(server)),
    warnings: [],
  }
}
