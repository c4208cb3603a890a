import { applyChange, type ContextChange } from './context-change.ts'
import type { Message } from './message.ts'

/** The messages that the model reads, in order. Reports each message and each change to its owner. */
export interface Conversation {
  readonly messages: readonly Message[]
  add(message: Message): void
  change(change: ContextChange): void
  /** Restores an earlier state of the messages. */
  reset(messages: readonly Message[]): void
}

export interface ConversationListener {
  readonly onAdded?: (message: Message) => void
  readonly onChanged?: (change: ContextChange) => void
}

export function createConversation(messages: readonly Message[], { onAdded, onChanged }: ConversationListener = {}): Conversation {
  let all = [...messages]
  return {
    get messages() {
      return all
    },
    add(message) {
      all.push(message)
      onAdded?.(message)
    },
    change(change) {
      all = [...applyChange(all, change)]
      onChanged?.(change)
    },
    reset(earlier) {
      all = [...earlier]
    },
  }
}
