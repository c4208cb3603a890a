import type { Message } from './message.ts'

/** The messages exchanged with the model, in order. Its owner is told of each message as it is added. */
export interface Conversation {
  readonly messages: readonly Message[]
  add(message: Message): void
  /** Removes all messages after the first `length`. */
  cutTo(length: number): void
}

export function createConversation(messages: readonly Message[], onAdded: (message: Message) => void): Conversation {
  const all = [...messages]
  return {
    messages: all,
    add(message) {
      all.push(message)
      onAdded(message)
    },
    cutTo(length) {
      all.length = length
    },
  }
}
