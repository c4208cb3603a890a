import { toMarkdownCode } from '../../base/markdown-text.ts'
import type { ContentBlock } from '../../messages/content.ts'
import type { Message } from '../../messages/message.ts'
import type { PromptPorts } from '../answer-prompt.ts'
import type { SlashCommand } from '../chat-session.ts'
import type { SessionState } from '../session-state.ts'

/** A slash command of a session, with the text that an editor shows for it. */
export type Command = AnswerCommand | PromptCommand | ModelCommand

/** Answered by Ostler itself, without the model. */
export interface AnswerCommand extends SlashCommand {
  readonly type: 'answer'
  /** True if it is answered before the servers have settled. */
  readonly isImmediate?: boolean
  /** Returns Markdown. `input` is the trimmed text after the name. Explain an argument that is not understood: `usageOf` has the line. */
  answer(state: SessionState, input: string, ports: PromptPorts, signal: AbortSignal): string | Promise<string>
}

/** Replaced by messages, which the model answers. */
export interface PromptCommand extends SlashCommand {
  readonly type: 'prompt'
  toMessages(state: SessionState, input: string, signal: AbortSignal): readonly Message[] | Promise<readonly Message[]>
}

/** Sent to the model as it is. */
export interface ModelCommand extends SlashCommand {
  readonly type: 'model'
}

/** The part of a prompt that may be a command: its first block, if that is text. */
export function lineOf(content: readonly ContentBlock[]): { readonly name: string; readonly input: string } | undefined {
  const first = content[0]
  const [, name, input = ''] = (first?.type === 'text' && /^\/(\S+)\s*([^]*)$/.exec(first.text.trim())) || []
  return name === undefined ? undefined : { name, input: input.trim() }
}

export function usageOf(command: SlashCommand): string {
  return `Usage: ${toMarkdownCode(toUse(command))}`
}

/** A command with its arguments: `/mcp [reconnect [server]]`. */
export function toUse({ name, hint }: SlashCommand): string {
  return hint === undefined ? `/${name}` : `/${name} ${hint}`
}
