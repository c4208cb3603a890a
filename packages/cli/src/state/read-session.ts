import type { SessionSummary, TranscriptEntry } from '@ostler/agent-api'
import { readCalls, toTranscript, type State, type StoredCall } from '@ostler/agent-api/internal'
import { findSessionByPrefix } from './find-by-prefix.ts'

/** A complete session for programs: its summary, its transcript and all calls. */
export interface WholeSession {
  readonly session: SessionSummary
  readonly entries: readonly TranscriptEntry[]
  /** In the order in which they started. */
  readonly calls: readonly StoredCall[]
}

/** Finds a session by the beginning of its id. */
export function readSession(state: State | undefined, prefix: string): WholeSession {
  const session = findSessionByPrefix(state, prefix)
  if (state === undefined) return { session, entries: [], calls: [] }
  const calls = [...readCalls(state.calls, { sessionId: session.id })]
  return { session, entries: toTranscript(state.sessions.entries(session.id)), calls: calls.toReversed() }
}
