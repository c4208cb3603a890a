import type { SessionId } from '../base/ids.ts'
import type { ContentBlock } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { ApprovalMode } from '../policy/approval.ts'

/** What is known of a session without reading it. */
export interface SessionSummary {
  readonly id: SessionId
  readonly agent: string
  readonly cwd: string
  readonly additionalDirectories: readonly string[]
  /** Unset until the first prompt. */
  readonly title: string | null
  /** Unset when the person has not chosen one: then the agent's own holds. */
  readonly model: string | null
  readonly mode: ApprovalMode | null
  /** How many prompts it has had. */
  readonly turns: number
  readonly createdAt: string
  readonly updatedAt: string
}

/**
 * A session as it went, in order: `prompt` and `event` are what the person sent and saw, `message` is what the model reads. They are kept
 * apart because neither can be made from the other: a model wants its signatures back, and a person sees how a tool went on.
 */
export type SessionEntry = { readonly turn: number } & (
  | { readonly kind: 'prompt'; readonly content: readonly ContentBlock[] }
  | { readonly kind: 'event'; readonly event: TurnEvent }
  | { readonly kind: 'message'; readonly message: Message }
)

export interface SessionQuery {
  readonly agent?: string
  readonly cwd?: string
  /** Only what comes after this one in the list. */
  readonly after?: Pick<SessionSummary, 'updatedAt' | 'id'>
  readonly limit: number
}

/** Takes note of one session as it goes. Never fails and never waits. */
export interface SessionLog {
  /** Which turn is being written; 0 before the first. */
  readonly turn: number
  beginTurn(prompt: readonly ContentBlock[]): void
  event(event: TurnEvent): void
  message(message: Message): void
  /** For a session that goes on: its last process may have been killed. Before a turn is begun, and once the secrets of its servers are known. */
  mergeCutOffTurns(): void
  /** As if the turn had never been begun. */
  forgetTurn(): void
  set(settings: {
    readonly additionalDirectories?: readonly string[]
    readonly title?: string
    readonly model?: string
    readonly mode?: ApprovalMode
  }): void
}
