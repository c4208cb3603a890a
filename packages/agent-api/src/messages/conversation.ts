import { applyChange, type ContextChange } from './context-change.ts'
import type { Message } from './message.ts'

/** The messages that the model reads, in order. Reports each message and each change to its owner. */
export interface Conversation {
  readonly messages: readonly Message[]
  add(message: Message): void
  change(change: ContextChange): void
}

interface ConversationListener {
  readonly onAdded?: (message: Message) => void
  readonly onChanged?: (change: ContextChange) => void
}

export function createConversation(
  held: { messages: readonly Message[] },
  { onAdded, onChanged }: ConversationListener = {},
): Conversation {
  return {
    get messages() {
      return held.messages
    },
    add(message) {
      held.messages = [...held.messages, message]
      onAdded?.(message)
    },
    change(change) {
      held.messages = applyChange(held.messages, change)
      onChanged?.(change)
    },
  }
}
