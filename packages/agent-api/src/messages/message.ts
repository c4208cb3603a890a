import type { MessageId, ToolCallId } from '../base/ids.ts'
import type { ToolRef, ToolResult } from './tool.ts'
import type { ContentBlock } from './content.ts'

/** A conversation, in the words of no vendor. `to-model-prompt.ts` turns it into what a model reads. */
export type Message = UserMessage | AssistantMessage | ToolMessage

export interface UserMessage {
  readonly role: 'user'
  readonly id: MessageId
  readonly content: readonly ContentBlock[]
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly id: MessageId
  readonly parts: readonly AssistantPart[]
}

/** The results of every call of the assistant message before it: a model refuses a call that has none. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly results: readonly ToolCallOutcome[]
}

/** What a vendor wants back word for word (a signature of a thought, say). Never read by Ostler. */
export type VendorMetadata = Readonly<Record<string, unknown>>

export type AssistantPart = TextPart | ThoughtPart | ToolCallPart

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly vendor?: VendorMetadata
}

export interface ThoughtPart {
  readonly type: 'thought'
  readonly text: string
  readonly vendor?: VendorMetadata
}

export interface ToolCallPart {
  readonly type: 'tool_call'
  readonly id: ToolCallId
  /** The name the model used, as it was offered in that step. */
  readonly wireName: string
  /** The arguments as the model wrote them: JSON, if it did as asked. */
  readonly input: string
  readonly vendor?: VendorMetadata
}

export interface ToolCallOutcome {
  readonly id: ToolCallId
  readonly wireName: string
  /** Unset when the model named a tool that does not exist. */
  readonly ref?: ToolRef
  readonly outcome: ToolCallEnd
  readonly result: ToolResult
}

/** How a call ended: `unknown`, `invalid` and `denied` never ran. */
export type ToolCallEnd = 'success' | 'error' | 'unknown' | 'invalid' | 'denied' | 'cancelled'
