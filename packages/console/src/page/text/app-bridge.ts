import type { StoredCall, ToolOutput } from '../../api.ts'

/** The bridge between an app and this page: JSON-RPC messages of MCP Apps. An app is only shown a call. It can ask for nothing. */
const protocolVersion = '2026-01-26'
/** An app that sends more is closed. */
export const appMessagesMax = 1_000
const textCharsMax = 200
const methodNotFound = -32_601

export interface AppHost {
  readonly version: string
  readonly theme: 'light' | 'dark'
  readonly call: StoredCall | undefined
}

export function answerApp(message: unknown, { version, theme, call }: AppHost): readonly object[] {
  if (typeof message !== 'object' || message === null) return []
  const { jsonrpc, id, method } = message as {
    readonly jsonrpc?: unknown
    readonly id?: unknown
    readonly method?: unknown
  }
  if (jsonrpc !== '2.0' || typeof method !== 'string' || method.length > textCharsMax) return []
  if (id === undefined)
    return method === 'ui/notifications/initialized' && call !== undefined ? toNotifications(call) : []
  if (!isId(id)) return []
  const reply = (answer: object) => [{ jsonrpc, id, ...answer }]
  switch (method) {
    case 'ui/initialize': {
      const hostContext = { theme, displayMode: 'inline', availableDisplayModes: ['inline'] }
      const hostInfo = { name: 'ostler', version }
      return reply({ result: { protocolVersion, hostInfo, hostCapabilities: {}, hostContext } })
    }
    case 'ping':
      return reply({ result: {} })
    default:
      return reply({ error: { code: methodNotFound, message: 'not supported' } })
  }
}

function isId(id: unknown): id is string | number {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= textCharsMax)
}

function toNotifications({ arguments: args, result, status }: StoredCall): readonly object[] {
  const input = { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: args } }
  if (result === null) return [input]
  const params = {
    content: result.content.filter(isMcpContent),
    ...(result.structured !== undefined && { structuredContent: result.structured }),
    isError: status !== 'success',
  }
  return [input, { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params }]
}

function isMcpContent({ type }: ToolOutput): boolean {
  return type !== 'diff' && type !== 'terminal'
}
