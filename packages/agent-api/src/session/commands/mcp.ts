import { didYouMean } from '../../base/did-you-mean.ts'
import { orAborted } from '../../base/or-aborted.ts'
import type { McpClient } from '../../mcp/mcp-client.ts'
import type { ServerReport } from '../../messages/turn-event.ts'
import { clientsOf, reportOf } from '../session-state.ts'
import { usageOf, type AnswerCommand } from './command.ts'

export const mcpCommand: AnswerCommand = {
  type: 'answer',
  name: 'mcp',
  description: 'Show the MCP servers of this session; reconnect one, or leave out its tools',
  hint: '[reconnect [server] | disable server | enable server]',
  isImmediate: true,
  async answer(state, input, _ports, signal) {
    const { disabledServers, tell } = state
    const rejected = [...state.agent.rejectedServers(), ...state.rejectedServers]
    const parsed = parseMcpInput(input, clientsOf(state), rejected)
    switch (parsed.type) {
      case 'answer':
        return parsed.text
      case 'show':
        return describeServers(reportOf(state), disabledServers)
      case 'reconnect': {
        const names = new Set(parsed.clients.map(({ name }) => name))
        // Waits as long as an attempt to connect may take.
        await orAborted(Promise.all(parsed.clients.map((client) => client.reconnect())), signal, undefined)
        const disabled = new Set([...disabledServers].filter((name) => names.has(name)))
        return describeServers(reportAbout(names, reportOf(state)), disabled)
      }
      case 'disable':
      case 'enable': {
        const { name } = parsed.client
        const isDisabled = parsed.type === 'disable'
        if (disabledServers.has(name) === isDisabled) return `The MCP server '${name}' is ${parsed.type}d already.`
        if (isDisabled) disabledServers.add(name)
        else disabledServers.delete(name)
        tell('servers')
        if (!isDisabled) return `The MCP server '${name}' is enabled again.`
        return `The MCP server '${name}' is disabled in this session: its tools, prompts and instructions are left out. \`/mcp enable ${name}\` brings them back.`
      }
    }
  },
}

export type McpInput =
  | { readonly type: 'show' }
  | { readonly type: 'reconnect'; readonly clients: readonly McpClient[] }
  | { readonly type: 'disable' | 'enable'; readonly client: McpClient }
  /** Answered with a sentence. */
  | { readonly type: 'answer'; readonly text: string }

const verbs = ['reconnect', 'disable', 'enable'] as const
type Verb = (typeof verbs)[number]

/** Parses the words after `/mcp`. Without a name, `reconnect` applies to all servers that are not connected. */
export function parseMcpInput(input: string, clients: ReadonlyMap<string, McpClient>, rejected: ServerReport['failed'] = []): McpInput {
  const [, word, name = ''] = /^(\S+)\s*([^]*)$/.exec(input.trim()) ?? []
  if (word === undefined) return { type: 'show' }
  const verb = verbs.find((candidate) => candidate === word)
  if (verb === undefined) return answer(`There is no \`/mcp ${word}\`.`, didYouMean(word, verbs), usageOf(mcpCommand))
  if (name === '') return verb === 'reconnect' ? reconnectAll(clients) : answer(`${usageOf(mcpCommand)}: name a server.`)
  const client = clients.get(name)
  return client === undefined ? unknownServer(name, clients, rejected) : toInput(verb, client)
}

function toInput(verb: Verb, client: McpClient): McpInput {
  return verb === 'reconnect' ? { type: verb, clients: [client] } : { type: verb, client }
}

function reconnectAll(clients: ReadonlyMap<string, McpClient>): McpInput {
  const away = [...clients.values()].filter(({ status }) => status.state !== 'connected')
  if (away.length > 0) return { type: 'reconnect', clients: away }
  return answer(clients.size === 0 ? 'This session has no MCP servers.' : 'All MCP servers are connected.')
}

function unknownServer(name: string, clients: ReadonlyMap<string, McpClient>, rejected: ServerReport['failed']): McpInput {
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

function describeServers(report: ServerReport, disabled: ReadonlySet<string>): string {
  const lines = [
    ...report.connected.map(({ server, tools }) => `- **${server}**: connected, ${tools} ${tools === 1 ? 'tool' : 'tools'}`),
    ...report.waiting.map((server) => `- **${server}**: still connecting`),
    ...(report.anticipated ?? []).map(
      ({ server, tools }) => `- **${server}**: connecting, ${tools} ${tools === 1 ? 'tool' : 'tools'} known from before`,
    ),
    ...report.failed.map(({ server, reason }) => `- **${server}**: failed: ${reason}`),
    ...[...disabled].map((server) => `- **${server}**: disabled in this session`),
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
