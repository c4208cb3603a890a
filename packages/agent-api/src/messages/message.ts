import type { MessageId, ToolCallId } from '../base/ids.ts'
import type { ToolRef, ToolResult } from './tool.ts'
import type { ContentBlock } from './content.ts'

/** Independent of any vendor. */
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

/** Models reject a call without a result. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly results: readonly ToolCallOutcome[]
}

/** Data that a vendor needs back unchanged, such as the signature of a thought. Ostler never reads it. */
export type VendorMetadata = Readonly<Record<string, unknown>>

export type AssistantPart = TextPart | ThoughtPart | HostedPart | ToolCallPart

/** A vendor runs some things itself during its answer, such as its search of tools. It needs them back unchanged. */
interface HostedPart {
  readonly type: 'hosted'
  readonly vendor: VendorMetadata
}

interface TextPart {
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
  readonly wireName: string
  /** The arguments as the model wrote them. Not necessarily valid JSON. */
  readonly input: string
  readonly vendor?: VendorMetadata
}

/** True for a message without a call and without a text, which is not an answer. */
export function isSilent({ parts }: AssistantMessage): boolean {
  return parts.every((part) => part.type !== 'tool_call' && (part.type !== 'text' || part.text.trim() === ''))
}

export function answerText({ parts }: AssistantMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

export interface CallOutcome {
  readonly outcome: ToolCallEnd
  readonly result: ToolResult
}

export interface ToolCallOutcome extends CallOutcome {
  readonly id: ToolCallId
  readonly wireName: string
  /** Unset when the model named a tool that does not exist. */
  readonly ref?: ToolRef
}

/** `unknown`, `invalid` and `denied` calls never ran. */
export type ToolCallEnd = 'success' | 'error' | 'unknown' | 'invalid' | 'denied' | 'cancelled'
