import type { SessionId } from '../../base/ids.ts'
import type { ContentBlock } from '../../messages/content.ts'
import type { ContextChange } from '../../messages/conversation.ts'
import type { Message } from '../../messages/message.ts'
import type { TranscriptEntry } from '../../messages/transcript.ts'
import type { TurnEvent } from '../../messages/turn-event.ts'
import type { ApprovalMode } from '../../policy/approval-mode.ts'

/** A session without its entries. */
export interface SessionSummary {
  readonly id: SessionId
  readonly agent: string
  readonly cwd: string
  readonly additionalDirectories: readonly string[]
  /** Null until the model was asked something. Such sessions are not listed. */
  readonly title: string | null
  /** Null if the person has not chosen one: the agent's applies. */
  readonly model: string | null
  readonly mode: ApprovalMode | null
  /** Null if the person has not chosen one. */
  readonly thoughtLevel: string | null
  /** The number of the current turn. */
  readonly turns: number
  readonly createdAt: string
  /** The time of the last prompt or the last end of a turn. */
  readonly updatedAt: string
}

/**
 * An entry of a session, in order. `prompt` and `event` are what the person sent and saw. `message` is what the model reads, and `change`
 * is what it no longer reads. Both are stored, because neither can be derived from the other: a model needs its signatures back, and a
 * person sees the progress of tools.
 */
export type SessionEntry =
  | TranscriptEntry
  | { readonly turn: number; readonly kind: 'message'; readonly message: Message }
  | { readonly turn: number; readonly kind: 'change'; readonly change: ContextChange }

export interface SessionQuery {
  readonly agent?: string
  readonly cwd?: string
  readonly after?: Pick<SessionSummary, 'updatedAt' | 'id'>
  readonly limit: number
}

/** Records a session as it happens. Never fails and never waits. */
export interface SessionLog {
  readonly session: SessionSummary
  beginTurn(prompt: readonly ContentBlock[]): void
  event(event: TurnEvent): void
  message(message: Message): void
  change(change: ContextChange): void
  /**
   * For a reopened session, whose last process may have been killed. Call it before a turn begins, and once the secrets of its servers are
   * known.
   */
  mergeCutOffTurns(): void
  forgetTurn(): void
  set(settings: Partial<Pick<SessionSummary, 'title' | 'model' | 'mode' | 'thoughtLevel'>>): void
}
