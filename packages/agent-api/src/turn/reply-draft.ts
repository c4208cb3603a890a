import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { createMessageId, createToolCallId } from '../base/ids.ts'
import type { AssistantMessage, AssistantPart, VendorMetadata } from '../messages/message.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { Vendor } from '../provider/model.ts'
import { callsPerStepMax } from './run-tool-calls.ts'

/** Keeps one call more than can run. Its result tells the model about the calls left out. */
const callsKeptMax = callsPerStepMax + 1

export interface ReplyDraft {
  add(part: LanguageModelV4StreamPart): TurnEvent | undefined
  message(options: { withCalls: boolean }): AssistantMessage
  readonly callsLeftOut: number
  finishReason(): LanguageModelV4FinishReason | undefined
}

type Written = { type: 'text' | 'thought'; text: string; vendor?: VendorMetadata }

interface WrittenPart {
  readonly id: string
  readonly delta?: string
  readonly providerMetadata?: SharedV4ProviderMetadata
}

export function createReplyDraft(vendor: Vendor = 'offline'): ReplyDraft {
  const messageId = createMessageId()
  const ids = { text: messageId, thought: createMessageId() }
  const parts: (Written | AssistantPart)[] = []
  const open = new Map<string, Written>()
  let finish: LanguageModelV4FinishReason | undefined
  let callCount = 0

  function start(type: Written['type'], part: WrittenPart): TurnEvent | undefined {
    const written: Written = { type, text: '' }
    parts.push(written)
    open.set(`${type} ${part.id}`, written)
    return write(type, part)
  }

  /** Vendors may leave out the start of a text. */
  function write(type: Written['type'], part: WrittenPart): TurnEvent | undefined {
    const written = open.get(`${type} ${part.id}`)
    if (written === undefined) return start(type, part)
    const { delta = '', providerMetadata } = part
    written.text += delta
    // A signature may come with any part. Earlier metadata is kept.
    if (providerMetadata !== undefined) written.vendor = mergeMetadata(written.vendor, providerMetadata)
    return delta === '' ? undefined : { type, messageId: ids[type], text: delta }
  }

  return {
    add(part) {
      switch (part.type) {
        case 'text-start':
          return start('text', part)
        case 'text-delta':
        case 'text-end':
          return write('text', part)
        case 'reasoning-start':
          return start('thought', part)
        case 'reasoning-delta':
        case 'reasoning-end':
          return write('thought', part)
        case 'tool-result':
          parts.push({ type: 'hosted', vendor: { [vendor]: part } })
          return undefined
        case 'tool-call':
          if (part.providerExecuted === true) parts.push({ type: 'hosted', vendor: { [vendor]: part } })
          else if (++callCount <= callsKeptMax)
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
        part.type === 'tool_call'
          ? withCalls
          : part.type === 'hosted' || part.text !== '' || part.vendor !== undefined,
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
