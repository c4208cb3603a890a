import { OstlerError, type SessionSummary, type TranscriptEntry } from '@ostler/agent-api'
import { readCalls, toTranscript, type State, type StoredCall } from '@ostler/agent-api/internal'
import { toShown } from '../terminal/safe-text.ts'

const namedMax = 5

/** Finds a session by the beginning of its id. Throws if none or several match. */
export function findSessionByPrefix(state: State | undefined, prefix: string): SessionSummary {
  return theOnly(state?.sessions.findByPrefix(prefix, namedMax + 1) ?? [], 'session', prefix)
}

export function findSession(state: State | undefined, id: string): SessionSummary {
  const session = state?.sessions.find(id)
  if (session === undefined) throw unknown('session', id)
  return session
}

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

/** Finds a call by the beginning of its id, with or without the common prefix. */
export function findCallByPrefix(state: State | undefined, prefix: string): StoredCall {
  const whole = prefix.startsWith(callPrefix) ? prefix : `${callPrefix}${prefix}`
  const { id } = theOnly(state?.calls.findByPrefix(whole, namedMax + 1) ?? [], 'tool call', prefix)
  const call = state?.calls.find(id)
  if (call === undefined) throw unknown('tool call', prefix)
  return call
}

const callPrefix = 'call_'
const shownLength = 8

/** The first characters of an id, enough to recognize and type it. */
export function toShortId(id: string): string {
  return id.replace(callPrefix, '').slice(0, shownLength)
}

function theOnly<T extends { readonly id: string }>(found: readonly T[], what: string, prefix: string): T {
  const [first, ...others] = found
  if (first === undefined) throw unknown(what, prefix)
  // An id may itself be the beginning of another.
  if (others.length === 0 || first.id === prefix) return first
  const named = found.slice(0, namedMax).map(({ id }) => id)
  const more = found.length > namedMax ? ', and more' : ''
  throw new OstlerError(
    'history.ambiguous',
    `More than one ${what} begins with '${toShown(prefix)}': ${named.join(', ')}${more}.`,
  )
}

function unknown(what: string, prefix: string): OstlerError {
  const list = what === 'session' ? 'ostler sessions' : 'ostler history'
  return new OstlerError(
    'history.unknown',
    `There is no ${what} '${toShown(prefix)}'. \`${list}\` lists them.`,
  )
}
