import { didYouMean } from '../../base/did-you-mean.ts'
import { orAborted } from '../../base/or-aborted.ts'
import type { McpClient } from '../../mcp/mcp-client.ts'
import type { ServerReport } from '../../messages/turn-event.ts'
import { clientsOf, reportOf } from '../session-state.ts'
import { usageOf, type AnswerCommand } from './command.ts'

export const mcpCommand: AnswerCommand = {
  type: 'answer',
  name: 'mcp',
  description: 'Show the MCP servers of this session, or reconnect one',
  hint: '[reconnect [server]]',
  isImmediate: true,
  async answer(state, input, _ports, signal) {
    const rejected = [...state.agent.rejectedServers(), ...state.rejectedServers]
    const parsed = parseMcpInput(input, clientsOf(state), rejected)
    if (parsed.type === 'answer') return parsed.text
    if (parsed.type === 'show') return describeServers(reportOf(state))
    const names = new Set(parsed.clients.map(({ name }) => name))
    // Waits as long as an attempt to connect may take.
    await orAborted(Promise.all(parsed.clients.map((client) => client.reconnect())), signal, undefined)
    return describeServers(reportAbout(names, reportOf(state)))
  },
}

export type McpInput =
  | { readonly type: 'show' }
  | { readonly type: 'reconnect'; readonly clients: readonly McpClient[] }
  /** Answered with a sentence. */
  | { readonly type: 'answer'; readonly text: string }

/** Parses the words after `/mcp`. Without a name, `reconnect` applies to all servers that are not connected. */
export function parseMcpInput(input: string, clients: ReadonlyMap<string, McpClient>, rejected: ServerReport['failed'] = []): McpInput {
  const [, verb, name = ''] = /^(\S+)\s*([^]*)$/.exec(input.trim()) ?? []
  if (verb === undefined) return { type: 'show' }
  if (verb !== 'reconnect') return answer(`There is no \`/mcp ${verb}\`.`, didYouMean(verb, ['reconnect']), usageOf(mcpCommand))
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

function answer(text: string, near?: string, otherwise?: string): McpInput {
  const more = near === undefined ? otherwise : `Did you mean \`${near}\`?`
  return { type: 'answer', text: more === undefined ? text : `${text} ${more}` }
}

function describeServers(report: ServerReport): string {
  const lines = [
    ...report.connected.map(({ server, tools }) => `- **${server}**: connected, ${tools} ${tools === 1 ? 'tool' : 'tools'}`),
    ...report.waiting.map((server) => `- **${server}**: still connecting`),
    ...(report.anticipated ?? []).map(
      ({ server, tools }) => `- **${server}**: connecting, ${tools} ${tools === 1 ? 'tool' : 'tools'} known from before`,
    ),
    ...report.failed.map(({ server, reason }) => `- **${server}**: failed: ${reason}`),
    ...report.warnings.map((warning) => `- ${warning}`),
  ]
  return lines.length === 0 ? 'This session has no MCP servers.' : lines.join('\n')
}

/** Reduces a report to the given servers. */
function reportAbout(names: ReadonlySet<string>, { connected, waiting, anticipated = [], failed }: ServerReport): ServerReport {
  return {
    anticipated: anticipated.filter(({ server }) => names.has(server)),
    connected: connected.filter(({ server }) => names.has(server)),
    waiting: waiting.filter((server) => names.has(server)),
    failed: failed.filter(({ server }) => names.has(server)),
    warnings: [],
  }
}
