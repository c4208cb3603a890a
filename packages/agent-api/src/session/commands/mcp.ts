import { didYouMean } from '../../base/did-you-mean.ts'
import { orAborted } from '../../base/or-aborted.ts'
import type { McpClient } from '../../mcp/mcp-client.ts'
import { toMarkdownCode, toMarkdownText, fence } from '../../base/markdown-text.ts'
import { mcpLogLevels, type McpLogLevel } from '../../messages/log-level.ts'
import { describeFence } from '../../messages/fence-report.ts'
import { describeSizes } from '../../messages/tool-size.ts'
import type { ServerReport } from '../../messages/turn-event.ts'
import { clientsOf, toolsOf, type Toolbox } from '../toolbox.ts'
import { usageOf, type AnswerCommand } from './command.ts'
import { counted } from '../../base/quantities.ts'

const shownMessagesMax = 50

export const mcpCommand: AnswerCommand = {
  type: 'answer',
  name: 'mcp',
  description:
    'Show the MCP servers of this session, or what one logs; reconnect or start one, or leave out its tools',
  hint: '[reconnect [server] | wake server | disable server | enable server | log server [level]]',
  isImmediate: true,
  async answer({ toolbox, person, report }, input, signal) {
    const { disabled } = toolbox
    const parsed = parseMcpInput(input, clientsOf(toolbox), toolbox.rejected())
    switch (parsed.type) {
      case 'answer':
        return parsed.text
      case 'show':
        return describeServers(toolbox, report())
      case 'log':
        return describeLog(parsed, signal)
      case 'reconnect':
      case 'wake': {
        const names = new Set(parsed.clients.map(({ name }) => name))
        person.startConsent.askAgain(names)
        // Waits as long as an attempt to connect may take. The answer says if it failed.
        const starts = parsed.clients.map((client) =>
          parsed.type === 'wake' && client.status.state !== 'error'
            ? person.startConsent.use(client, signal).catch(() => undefined)
            : client.reconnect(),
        )
        await orAborted(Promise.all(starts), signal, undefined)
        return describeServers(toolbox, report(), names)
      }
      case 'disable':
      case 'enable': {
        const { name } = parsed.client
        const isDisabled = parsed.type === 'disable'
        if (disabled.has(name) === isDisabled)
          return `The MCP server ${named(name)} is already ${parsed.type}d.`
        if (isDisabled) disabled.add(name)
        else disabled.delete(name)
        toolbox.changed()
        if (!isDisabled) return `The MCP server ${named(name)} is enabled again.`
        return `The MCP server ${named(name)} is disabled in this session: its tools, prompts and instructions are left out. ${toMarkdownCode(`/mcp enable ${name}`)} brings them back.`
      }
    }
  },
}

type McpInput =
  | { readonly type: 'show' }
  | { readonly type: 'reconnect' | 'wake'; readonly clients: readonly McpClient[] }
  | { readonly type: 'disable' | 'enable'; readonly client: McpClient }
  | { readonly type: 'log'; readonly client: McpClient; readonly level?: McpLogLevel | undefined }
  | { readonly type: 'answer'; readonly text: string }

const verbs = ['reconnect', 'wake', 'disable', 'enable', 'log'] as const

/** Without a name, `reconnect` applies to all servers that are neither connected nor asleep. */
export function parseMcpInput(
  input: string,
  clients: ReadonlyMap<string, McpClient>,
  rejected: ServerReport['failed'] = [],
): McpInput {
  const [, word, name = ''] = /^(\S+)\s*([^]*)$/.exec(input.trim()) ?? []
  if (word === undefined) return { type: 'show' }
  const verb = verbs.find((candidate) => candidate === word)
  if (verb === undefined)
    return answer(
      `There is no ${toMarkdownCode(`/mcp ${word}`)}.`,
      didYouMean(word, verbs),
      usageOf(mcpCommand),
    )
  if (name === '')
    return verb === 'reconnect' ? reconnectAll(clients) : answer(`Name a server. ${usageOf(mcpCommand)}`)
  if (verb === 'log') return parseLogInput(name, clients, rejected)
  const client = clients.get(name)
  if (client === undefined) return unknownServer(name, clients, rejected)
  return verb === 'reconnect' || verb === 'wake' ? { type: verb, clients: [client] } : { type: verb, client }
}

/** A name may contain spaces, so a level is the last word after a name. */
function parseLogInput(
  input: string,
  clients: ReadonlyMap<string, McpClient>,
  rejected: ServerReport['failed'],
): McpInput {
  const [, first = input, word] = (!clients.has(input) && /^([^]*\S)\s+(\S+)$/.exec(input)) || []
  const client = clients.get(first)
  if (client === undefined) return unknownServer(first, clients, rejected)
  const level = mcpLogLevels.find((known) => known === word)
  if (word === undefined || level !== undefined) return { type: 'log', client, level }
  return answer(
    `There is no level ${named(word)}.`,
    didYouMean(word, mcpLogLevels),
    `Levels: ${mcpLogLevels.join(', ')}.`,
  )
}

function reconnectAll(clients: ReadonlyMap<string, McpClient>): McpInput {
  if (clients.size === 0) return answer('This session has no MCP servers.')
  const away = [...clients.values()].filter(({ status }) => status.state !== 'connected')
  const lost = away.filter(({ status }) => status.state !== 'idle')
  if (lost.length > 0) return { type: 'reconnect', clients: lost }
  return answer(`All MCP servers are connected${away.length > 0 ? ' or asleep' : ''}.`)
}

function unknownServer(
  name: string,
  clients: ReadonlyMap<string, McpClient>,
  rejected: ServerReport['failed'],
): McpInput {
  const refused = rejected.find(({ server }) => server === name)
  if (refused !== undefined)
    return answer(`The MCP server ${named(name)} cannot be connected: ${toMarkdownText(refused.reason)}`)
  const names = [...clients.keys()]
  return answer(
    `There is no MCP server ${named(name)}.`,
    didYouMean(name, names),
    names.length === 0 ? 'This session has no MCP servers.' : `Servers: ${toMarkdownText(names.join(', '))}.`,
  )
}

function answer(text: string, near?: string, otherwise?: string): McpInput {
  const more = near === undefined ? otherwise : `Did you mean ${toMarkdownCode(near)}?`
  return { type: 'answer', text: more === undefined ? text : `${text} ${more}` }
}

async function describeLog(
  { client, level }: Extract<McpInput, { type: 'log' }>,
  signal: AbortSignal,
): Promise<string> {
  const { serverLog: log, name } = client
  if (level !== undefined) {
    await log.setLevel(level, { signal })
    return `The MCP server ${named(name)} logs messages from level \`${level}\` on.`
  }
  const messages = log.entries().slice(-shownMessagesMax)
  const lines = messages.map(({ at, level: severity, logger, text }) => {
    return `${at.slice(11, 19)} ${severity} ${logger === undefined ? '' : `${logger}: `}${text.replace(/\s+/g, ' ')}`
  })
  const stderr = log.stderr().slice(-shownMessagesMax)
  return [
    lines.length === 0
      ? `The MCP server ${named(name)} has logged nothing from level \`${log.level}\` on.`
      : `The log of ${named(name)}, from level \`${log.level}\` on:\n\n${fence(lines.join('\n'))}`,
    ...(stderr.length === 0
      ? []
      : [`Its stderr output:\n\n${fence(stderr.map(({ text }) => text).join('\n'))}`]),
  ].join('\n\n')
}

function fenceOf(toolbox: Toolbox, server: string): string {
  const held = clientsOf(toolbox).get(server)?.fence
  return held === undefined ? '' : `, ${toMarkdownText(describeFence(held))}`
}

function loggedBy(toolbox: Toolbox, server: string): string {
  const count = clientsOf(toolbox).get(server)?.serverLog.entries().length ?? 0
  return count === 0 ? '' : `; ${counted(count, 'message')} logged: ${toMarkdownCode(`/mcp log ${server}`)}`
}

function named(server: string): string {
  return `'${toMarkdownText(server)}'`
}

/** With names, says only how these servers are. */
async function describeServers(
  toolbox: Toolbox,
  report: ServerReport,
  names?: ReadonlySet<string>,
): Promise<string> {
  const line = (server: string, status: string) =>
    names?.has(server) === false ? [] : `- **${toMarkdownText(server)}**: ${status}`
  const { connected, waiting, anticipated = [], asleep = [], failed, warnings, remarks = [] } = report
  const { sizesOf } = await import('../tool-sizes.ts')
  const sizes = await sizesOf(toolbox, toolsOf(toolbox))
  const sized = ({ server, tools }: { readonly server: string; readonly tools: number }) => {
    const own = sizes.get(server)
    return `${counted(tools, 'tool')}${own === undefined ? '' : ` (${describeSizes([...own.values()])})`}`
  }
  const lines = [
    ...connected.flatMap((each) =>
      line(
        each.server,
        `connected, ${sized(each)}${fenceOf(toolbox, each.server)}${loggedBy(toolbox, each.server)}`,
      ),
    ),
    ...waiting.flatMap((server) => line(server, 'still connecting')),
    ...anticipated.flatMap((each) => line(each.server, `connecting, ${sized(each)} known from before`)),
    ...asleep.flatMap((each) => line(each.server, `asleep, ${sized(each)} known; the first call starts it`)),
    ...failed.flatMap(({ server, reason }) => line(server, `failed: ${toMarkdownText(reason)}`)),
    ...[...toolbox.disabled].flatMap((server) => line(server, 'disabled in this session')),
    ...(names === undefined ? [...warnings, ...remarks].map((text) => `- ${toMarkdownText(text)}`) : []),
  ]
  return lines.length === 0 ? 'This session has no MCP servers.' : lines.join('\n')
}
