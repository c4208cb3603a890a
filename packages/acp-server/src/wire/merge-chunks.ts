import type { ContentChunk, SessionNotification } from '@agentclientprotocol/sdk'
import { isRecord } from '@ostler/agent-api/internal'
import type { Message } from './message.ts'

/** Limit on merged text, so that an editor never receives unusually long lines. */
export const mergedCharsMax = 64 * 1024

/** A piece of streamed text. Queued pieces of one message may be merged, because the reader sees the same text. */
export interface TextChunk {
  readonly sessionId: string
  readonly kind: 'agent_message_chunk' | 'agent_thought_chunk'
  readonly messageId: string
  readonly text: string
}

/** Only accepts plain chunks. A chunk with other fields (`_meta`, annotations) is sent unchanged. */
export function toTextChunk(message: Message): TextChunk | undefined {
  if (!('method' in message) || message.method !== 'session/update' || !isRecord(message.params))
    return undefined
  const { sessionId, update, ...others } = message.params
  if (typeof sessionId !== 'string' || !isRecord(update) || Object.keys(others).length > 0) return undefined
  const { sessionUpdate: kind, content, messageId, ...extra } = update
  if (kind !== 'agent_message_chunk' && kind !== 'agent_thought_chunk') return undefined
  if (typeof messageId !== 'string' || !isRecord(content) || Object.keys(extra).length > 0) return undefined
  const { type, text, ...rest } = content
  if (type !== 'text' || typeof text !== 'string' || Object.keys(rest).length > 0) return undefined
  return { sessionId, kind, messageId, text }
}

/** Undefined if the chunks must stay separate. */
export function mergeChunks(first: TextChunk, second: TextChunk): TextChunk | undefined {
  const belongTogether =
    first.sessionId === second.sessionId && first.kind === second.kind && first.messageId === second.messageId
  if (!belongTogether || first.text.length + second.text.length > mergedCharsMax) return undefined
  return { ...first, text: first.text + second.text }
}

export function fromTextChunk({ sessionId, kind, messageId, text }: TextChunk): Message {
  const chunk: ContentChunk = { messageId, content: { type: 'text', text } }
  const params: SessionNotification = { sessionId, update: { sessionUpdate: kind, ...chunk } }
  return { jsonrpc: '2.0', method: 'session/update', params }
}
