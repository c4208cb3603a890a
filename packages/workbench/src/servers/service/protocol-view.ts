import {
  type Strike,
  mapInSlices,
  isRecord,
  type McpToolDefinition,
  type KeptMessage,
  type ProtocolLog,
  passwordsIn,
  strikeArguments,
  defined,
} from '@ostler/agent-api/internal'
import type { ProtocolMessage, ProtocolMessageDetail, ProtocolView } from '../server-service.ts'

/** Requests that can be sent again. A call takes the path of every call. */
const replayed: ReadonlySet<string> = new Set([
  'ping',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
  'logging/setLevel',
])

interface ViewOptions {
  readonly strike: Strike
  /** Their schemas say which arguments are passwords. */
  readonly tools: readonly McpToolDefinition[]
}

/** Oldest first. */
export async function toProtocolView(
  log: ProtocolLog | undefined,
  search: string,
  options: ViewOptions,
): Promise<ProtocolView> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = await mapInSlices(log?.messages().slice() ?? [], (message) =>
    isFound(message, words, options) ? [toMessage(message)] : [],
  )
  return { messages: found.flat(), leftOut: log?.leftOut ?? 0 }
}

export function toProtocolDetail(message: KeptMessage, options: ViewOptions): ProtocolMessageDetail {
  return { ...toMessage(message), message: clean(message, options) }
}

function isFound(message: KeptMessage, words: readonly string[], options: ViewOptions): boolean {
  if (words.length === 0) return true
  // Only what is shown can be found. A search must not reveal a secret.
  const text =
    `${message.from} ${message.kind} ${message.method} ${JSON.stringify(clean(message, options))}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function toMessage({ json: _json, at, ...message }: KeptMessage): ProtocolMessage {
  const { from, kind, isCut, method } = message
  return {
    ...defined(message),
    at: new Date(at).toISOString(),
    canReplay: from === 'client' && kind === 'request' && !isCut && replayed.has(method),
  }
}

function clean({ json, method }: KeptMessage, { strike, tools }: ViewOptions): unknown {
  return strike(struck(JSON.parse(json), method, tools))
}

/** Arguments of calls and answers to questions hold what a person typed. */
function struck(message: unknown, method: string, tools: readonly McpToolDefinition[]): unknown {
  if (!isRecord(message)) return message
  const { params, result } = message
  if (isRecord(params) && isRecord(params['arguments'])) {
    const tool = method === 'tools/call' ? tools.find(({ name }) => name === params['name']) : undefined
    const args = strikeArguments(
      params['arguments'],
      tool === undefined ? new Set() : passwordsIn(tool.inputSchema),
    )
    return { ...message, params: { ...params, arguments: args } }
  }
  if (method === 'elicitation/create' && isRecord(result))
    return { ...message, result: strikeArguments(result, new Set()) }
  return message
}
