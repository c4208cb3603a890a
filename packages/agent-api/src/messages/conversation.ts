import type { Message } from './message.ts'

/** What the model has been told and has said, in order. It only grows, and whoever keeps it learns of each message as it comes. */
export interface Conversation {
  readonly messages: readonly Message[]
  add(message: Message): void
  /** Takes back all but the first so many. */
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
