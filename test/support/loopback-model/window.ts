import type { ModelMessage, ModelRequest, Reply, Script } from './script.ts'
import type { LoopbackVendor } from './start-loopback-model.ts'

/** Refusals in the words of each vendor. */
const refusals: Readonly<Record<LoopbackVendor, (tokens: number, size: number) => Reply>> = {
  anthropic: (tokens, size) => ({
    status: 400,
    errorMessage: `prompt is too long: ${tokens} tokens > ${size} maximum`,
  }),
  openai: (tokens, size) => ({
    status: 400,
    errorMessage: `This model's maximum context length is ${size} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
  }),
  'openai-responses': () => ({
    status: 400,
    errorMessage:
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
  }),
  google: (tokens, size) => ({
    status: 400,
    errorMessage: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${size}).`,
  }),
  ollama: (tokens, size) => ({
    status: 400,
    errorMessage: `request (${tokens} tokens) exceeds the available context size (${size} tokens), try increasing it`,
  }),
}

export interface Window {
  readonly size: number
  readonly vendor: LoopbackVendor
  /** Writes the requested summary. By default, repeats every line that begins with `FACT`. */
  readonly summarize?: (request: ModelRequest) => Reply
  /** False for a server that does not count tokens. */
  readonly reportsUsage?: boolean
}

/** Refuses requests that are longer than the window, and writes summaries. All other requests follow the script. */
export function withWindow(
  { size, vendor, summarize = repeatFacts, reportsUsage = true }: Window,
  script: Script,
): Script {
  let answered = 0
  return async (request) => {
    const tokens = countTokens(request)
    if (tokens > size) return refusals[vendor](tokens, size)
    const next = async () =>
      typeof script === 'function' ? script(request, answered++) : (script[answered++] ?? { text: 'ok' })
    const reply = isSummaryRequest(request) ? summarize(request) : await next()
    const outputTokens = countText(JSON.stringify([reply.text, reply.toolCalls]))
    return {
      ...reply,
      usage: reportsUsage ? { inputTokens: tokens, outputTokens } : { inputTokens: 0, outputTokens: 0 },
    }
  }
}

export function isSummaryRequest({ messages }: ModelRequest): boolean {
  return textIn(messages.at(-1)).includes('Write a summary of this conversation now')
}

function repeatFacts({ messages }: ModelRequest): Reply {
  const facts = messages.flatMap((message) => textIn(message).match(/FACT.*/g) ?? [])
  return { text: `## Goal\n${[...new Set(facts)].join('\n')}` }
}

/** Counts a token for each started group of four letters or digits, and for each other sign. */
export function countTokens({ system, messages, tools }: ModelRequest): number {
  return (
    countText(system) +
    countText(JSON.stringify(tools)) +
    messages.reduce((sum, message) => sum + countMessage(message), 0)
  )
}

const counted = new Map<string, number>()

function countMessage(message: ModelMessage): number {
  const text = JSON.stringify(message.parts)
  const known = counted.get(text) ?? 4 + countText(text)
  counted.set(text, known)
  return known
}

function countText(text: string): number {
  return text.match(/[A-Za-z0-9]{1,4}|[^A-Za-z0-9\s]/g)?.length ?? 0
}

export function textIn(message: ModelMessage | undefined): string {
  return (message?.parts ?? []).map((part) => ('text' in part ? part.text : '')).join('\n')
}
