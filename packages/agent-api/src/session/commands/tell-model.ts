import { createMessageId } from '../../base/ids.ts'
import { text } from '../../messages/content.ts'
import type { Conversation } from '../../messages/conversation.ts'
import { closeLastTurn } from '../unanswered-prompt.ts'

/** Lets the model read, with the next prompt, that a person has used a command, and its answer. */
export function tellModel(conversation: Conversation, command: string, answer: string): void {
  closeLastTurn(conversation)
  conversation.add({ role: 'user', id: createMessageId(), content: [text(`(I used /${command}.)`)] })
  conversation.add({ role: 'assistant', id: createMessageId(), parts: [text(answer)] })
}
