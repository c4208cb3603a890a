import { toMarkdownCode } from '../../base/markdown-text.ts'
import { createMessageId } from '../../base/ids.ts'
import { text, type ContentBlock } from '../../messages/content.ts'
import type { Conversation } from '../../messages/conversation.ts'
import type { Message } from '../../messages/message.ts'
import type { Turn } from '../../turn/turn.ts'
import type { SlashCommand } from '../chat-session.ts'
import type { Session } from '../session.ts'
import { closeLastTurn } from '../unanswered-prompt.ts'

export type Command = AnswerCommand | PromptCommand | ModelCommand

/** Answered by Ostler itself, without the model. */
export interface AnswerCommand extends SlashCommand {
  readonly type: 'answer'
  readonly isImmediate?: boolean
  /** Returns Markdown. `input` is the trimmed text after the name. Explain an argument that is not understood with `usageOf`. */
  answer(session: Session, input: string, signal: AbortSignal, emit: Turn['emit']): string | Promise<string>
}

/** Replaced by messages, which the model answers. */
export interface PromptCommand extends SlashCommand {
  readonly type: 'prompt'
  toMessages(input: string, signal: AbortSignal): readonly Message[] | Promise<readonly Message[]>
}

/** Sent to the model as it is. */
export interface ModelCommand extends SlashCommand {
  readonly type: 'model'
}

/** The part of a prompt that may be a command: its first block, if that is text. */
export function lineOf(
  content: readonly ContentBlock[],
): { readonly name: string; readonly input: string } | undefined {
  const first = content[0]
  const [, name, input = ''] = (first?.type === 'text' && /^\/(\S+)\s*([^]*)$/.exec(first.text.trim())) || []
  return name === undefined ? undefined : { name, input: input.trim() }
}

/** Lets the model read, with the next prompt, that a person has used a command, and its answer. */
export function tellModel(conversation: Conversation, command: string, answer: string): void {
  closeLastTurn(conversation)
  conversation.add({ role: 'user', id: createMessageId(), content: [text(`(I used /${command}.)`)] })
  conversation.add({ role: 'assistant', id: createMessageId(), parts: [text(answer)] })
}

export function usageOf(command: SlashCommand): string {
  return `Usage: ${toMarkdownCode(toUse(command))}`
}

export function toUse({ name, hint }: SlashCommand): string {
  return hint === undefined ? `/${name}` : `/${name} ${hint}`
}
