import type { ModelRequest, Reply } from './script.ts'

/** A vendor's wire format: requests, streamed answers and errors. Pure. */
export interface Wire {
  readonly accepts: (path: string) => boolean
  readonly decode: (
    body: unknown,
    path: string,
  ) => Pick<ModelRequest, 'model' | 'system' | 'messages' | 'tools'>
  readonly encode: (reply: Reply, model: string) => readonly Frame[]
  readonly errorBody: (status: number, message: string) => unknown
}

/** A server-sent event with its kind, so that a script can cut the stream at a meaningful place. */
export interface Frame {
  readonly kind: 'start' | 'thought' | 'text' | 'tool_start' | 'tool_args' | 'end'
  readonly event?: string
  readonly data: unknown
}

export function toSse(frame: Frame): string {
  const data = typeof frame.data === 'string' ? frame.data : JSON.stringify(frame.data)
  return `${frame.event === undefined ? '' : `event: ${frame.event}\n`}data: ${data}\n\n`
}

const chunksPerText = 3

/** Splits a single string into a few chunks, as real models do, between code points. */
export function chunksOf(text: Reply['text']): readonly string[] {
  if (text === undefined) return []
  if (typeof text !== 'string') return text
  const points = [...text]
  const size = Math.max(1, Math.ceil(points.length / chunksPerText))
  const chunks: string[] = []
  for (let i = 0; i < points.length; i += size) chunks.push(points.slice(i, i + size).join(''))
  return chunks
}

/** Splits arguments into at least two pieces, so that a call can be cut in the middle. */
export function argumentChunks(args: unknown): readonly string[] {
  const text = typeof args === 'string' ? args : JSON.stringify(args ?? {})
  const middle = Math.max(1, Math.floor(text.length / 2))
  return [text.slice(0, middle), text.slice(middle)]
}

export function thoughtOf(reply: Reply): { text: string; signature: string } | undefined {
  if (reply.thoughts === undefined) return undefined
  return typeof reply.thoughts === 'string' ? { text: reply.thoughts, signature: 'sig-0' } : reply.thoughts
}

export function stopOf(reply: Reply): NonNullable<Reply['stop']> {
  return reply.stop ?? (reply.toolCalls?.length ? 'tool' : 'end')
}

export function usageOf(reply: Reply): { input: number; output: number; cached: number } {
  return {
    input: reply.usage?.inputTokens ?? 10,
    output: reply.usage?.outputTokens ?? 5,
    cached: reply.usage?.cachedTokens ?? 0,
  }
}

/** Parses JSON; returns other text unchanged. */
export function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function fromDataUrl(url: string): { mediaType: string; data: string } {
  const match = /^data:([^;,]+);base64,(.*)$/s.exec(url)
  return { mediaType: match?.[1] ?? '', data: match?.[2] ?? url }
}
