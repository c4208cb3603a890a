import type { SessionSummary, TranscriptEntry } from '@ostler/agent-api'
import { readCalls, toTranscript, type History, type StoredCall } from '@ostler/agent-api/manage'
import { findSessionByPrefix } from './find-by-prefix.ts'

/** A complete session for programs: its summary, its transcript and all calls. */
export interface WholeSession {
  readonly session: SessionSummary
  readonly entries: readonly TranscriptEntry[]
  /** In the order in which they started. */
  readonly calls: readonly StoredCall[]
}

/** Finds a session by the beginning of its id. */
export function readSession(history: History | undefined, prefix: string): WholeSession {
  const session = findSessionByPrefix(history, prefix)
  if (history === undefined) return { session, entries: [], calls: [] }
  const calls = [...readCalls(history, { sessionId: session.id })]
  return { session, entries: toTranscript(history.readEntries(session.id)), calls: calls.toReversed() }
}
