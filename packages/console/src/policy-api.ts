import type { ToolAnnotations } from '@ostler/agent-api/internal'
import type { GrantView, Outcome, ServerIssue } from '@ostler/agent-api/manage'

/** The part of `api.ts` about the rules for each tool. */

/**
 * POST /api/policy { settings? } → Policy; changes nothing. POST /api/policy/replay { settings?, days } → Replay: what the rules say about
 * past calls. `settings` are those of an edit that is not saved.
 */
export interface Policy {
  readonly tools: readonly PolicyTool[]
  /** The lasting answers, also those for tools that are not in the list. */
  readonly grants: readonly GrantView[]
  /** Servers whose tools are not known. */
  readonly unknown: readonly string[]
  /** The edit would cause these problems, so its outcome is not shown. */
  readonly issues: readonly ServerIssue[]
}
export interface PolicyTool {
  readonly server: string | null
  readonly tool: string
  readonly title?: string
  /** The first line of its description. */
  readonly about?: string
  readonly claims?: ToolAnnotations
  /** `session`: a server that an editor adds. */
  readonly origin: 'builtin' | 'file' | 'stored' | 'session'
  /** False if only its name is known, from past calls. */
  readonly isKnown: boolean
  readonly now: Outcome
  /** Set if the edit changes it. */
  readonly after?: Outcome
}

/** DELETE /api/grants/ID → {}. GET /api/grants/ID/difference → GrantDifference */
export interface GrantDifference {
  /** The changed lines of the tool's definition. Null if the earlier definition was not kept. */
  readonly difference: string | null
}
