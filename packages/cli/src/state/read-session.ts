import type { SessionSummary, TranscriptEntry } from '@ostler/agent-api'
import { toTranscript, type History, type StoredCall } from '@ostler/agent-api/manage'
import { findSessionByPrefix } from './find-by-prefix.ts'

/** A complete session for programs: its summary, its transcript and all calls. */
export interface WholeSession {
  readonly session: SessionSummary
  readonly entries: readonly TranscriptEntry[]
  readonly calls: readonly StoredCall[]
}

const pageSize = 500

/** Finds a session by the beginning of its id. */
export function readSession(history: History | undefined, prefix: string): WholeSession {
  const session = findSessionByPrefix(history, prefix)
  const entries = history === undefined ? [] : toTranscript(history.readEntries(session.id))
  return { session, entries, calls: [...callsOf(history, session.id)] }
}

/** The calls in the order they started. */
function* callsOf(history: History | undefined, sessionId: string): Iterable<StoredCall> {
  let after = 0
  for (;;) {
    const page = history?.listCalls({ sessionId, after, limit: pageSize }) ?? []
    for (const { id } of page) {
      const call = history?.findCall(id)
      if (call !== undefined) yield call
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.seq
  }
}
