import { isRecord } from '@ostler/agent-api/browser'
import type { ContentBlock } from '../../api.ts'

export interface ModelRequest {
  readonly systemPrompt?: string
  readonly messages: readonly {
    readonly role: 'user' | 'assistant'
    readonly content: readonly ContentBlock[]
  }[]
  readonly maxTokens?: number
}

/** Undefined for arguments of another form, which are shown as they are. */
export function toModelRequest(args: Readonly<Record<string, unknown>>): ModelRequest | undefined {
  const { systemPrompt, messages, maxTokens, ...others } = args
  const isMessage = (message: unknown) =>
    isRecord(message) &&
    (message['role'] === 'user' || message['role'] === 'assistant') &&
    Array.isArray(message['content']) &&
    message['content'].every((block) => isRecord(block) && typeof block['type'] === 'string')
  const isRequest =
    Object.keys(others).length === 0 &&
    Array.isArray(messages) &&
    messages.every(isMessage) &&
    (systemPrompt === undefined || typeof systemPrompt === 'string') &&
    (maxTokens === undefined || typeof maxTokens === 'number')
  return isRequest ? (args as unknown as ModelRequest) : undefined
}
