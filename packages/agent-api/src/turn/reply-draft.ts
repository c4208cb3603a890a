import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { createMessageId, createToolCallId } from '../base/ids.ts'
import type { AssistantMessage, AssistantPart, VendorMetadata } from '../messages/message.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import { callsPerStepMax } from './run-tool-calls.ts'

/** Keeps one call more than can run. Its result tells the model about the calls left out. */
const callsKeptMax = callsPerStepMax + 1

/** An answer that is being received. */
export interface ReplyDraft {
  /** Adds a part and returns the event to show, if any. */
  add(part: LanguageModelV4StreamPart): TurnEvent | undefined
  message(options: { withCalls: boolean }): AssistantMessage
  /** Number of calls that were left out because there are too many. */
  readonly callsLeftOut: number
  finishReason(): LanguageModelV4FinishReason | undefined
}

type Written = { type: 'text' | 'thought'; text: string; vendor?: VendorMetadata }

export function createReplyDraft(): ReplyDraft {
  const messageId = createMessageId()
  const thoughtId = createMessageId()
  const parts: (Written | AssistantPart)[] = []
  const open = new Map<string, Written>()
  let finish: LanguageModelV4FinishReason | undefined
  let callCount = 0

  function start(type: Written['type'], id: string): Written {
    const written: Written = { type, text: '' }
    parts.push(written)
    open.set(`${type} ${id}`, written)
    return written
  }

  function write(
    type: Written['type'],
    id: string,
    metadata: SharedV4ProviderMetadata | undefined,
    delta = '',
  ): Written {
    const written = open.get(`${type} ${id}`) ?? start(type, id)
    written.text += delta
    // A signature may come with any part. Earlier metadata is kept.
    if (metadata !== undefined) written.vendor = mergeMetadata(written.vendor, metadata)
    return written
  }

  return {
    add(part) {
      switch (part.type) {
        case 'text-start':
          start('text', part.id)
          write('text', part.id, part.providerMetadata)
          return undefined
        case 'text-delta':
          write('text', part.id, part.providerMetadata, part.delta)
          return part.delta === '' ? undefined : { type: 'text', messageId, text: part.delta }
        case 'text-end':
          write('text', part.id, part.providerMetadata)
          return undefined
        case 'reasoning-start':
          start('thought', part.id)
          write('thought', part.id, part.providerMetadata)
          return undefined
        case 'reasoning-delta':
          write('thought', part.id, part.providerMetadata, part.delta)
          return part.delta === '' ? undefined : { type: 'thought', messageId: thoughtId, text: part.delta }
        case 'reasoning-end':
          write('thought', part.id, part.providerMetadata)
          return undefined
        case 'tool-call':
          if (++callCount > callsKeptMax) return undefined
          parts.push({
            type: 'tool_call',
            id: createToolCallId(),
            wireName: part.toolName,
            input: part.input,
            vendor: part.providerMetadata,
          })
          return undefined
        case 'finish':
          finish = part.finishReason
          return undefined
        default:
          return undefined
      }
    },
    message: ({ withCalls }) => ({
      role: 'assistant',
      id: messageId,
      parts: parts.filter((part) =>
        part.type === 'tool_call' ? withCalls : part.text !== '' || part.vendor !== undefined,
      ),
    }),
    get callsLeftOut() {
      return Math.max(0, callCount - callsKeptMax)
    },
    finishReason: () => finish,
  }
}

function mergeMetadata(before: VendorMetadata | undefined, added: SharedV4ProviderMetadata): VendorMetadata {
  const merged: Record<string, unknown> = { ...before }
  for (const [vendor, values] of Object.entries(added))
    merged[vendor] = { ...(merged[vendor] as object | undefined), ...values }
  return merged
}
