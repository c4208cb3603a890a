import type { Grace } from '../processes/process-group.ts'

/**
 * All delays and timeouts of a connection in one value, passed down unchanged. Tests can shorten the waits, and commands can end their
 * servers sooner.
 */
export interface Timing extends Grace {
  /** To read the remaining output of an ended server, and for a server to end after closing its output. */
  readonly lastWordsMs: number
  /** Delays before the quick retries, once each. */
  readonly quickRetriesMs: readonly number[]
  /** Delays before the slow retries. The last one repeats. */
  readonly slowRetriesMs: readonly number[]
  /** Within this time after a failed attempt, calls and sessions get its error instead of starting another. */
  readonly attemptAgainMs: number
  /** A connection that lasted this long resets the retries. */
  readonly goodConnectionMs: number
  /** Silence after which a server is pinged. */
  readonly pingEveryMs: number
  readonly pingTimeoutMs: number
  /** Delay before a changed list is read again, from the first change on. */
  readonly listChangedMs: number
  /** Maximum time that the result of a call waits for a tool list that was announced before it. */
  readonly listAwaitedMs: number
  readonly promptListMs: number
  /** Time before a known server is started, so that it does not compete with the first prompt. A call starts it at once. */
  readonly knownStartMs: number
}

export const defaultTiming: Timing = {
  inputClosedMs: 2_000,
  terminatedMs: 2_000,
  killedMs: 1_000,
  escapeeMs: 300,
  lastWordsMs: 250,
  quickRetriesMs: [1_000, 2_000, 4_000, 8_000, 16_000],
  slowRetriesMs: [30_000, 60_000],
  attemptAgainMs: 1_000,
  goodConnectionMs: 30_000,
  pingEveryMs: 30_000,
  pingTimeoutMs: 10_000,
  listChangedMs: 500,
  listAwaitedMs: 2_000,
  promptListMs: 5_000,
  knownStartMs: 2_000,
}

/** The timing of one server. `retryAttempts` counts the quick retries; with 0 there are no slow ones either. */
export function timingFor(timing: Partial<Timing> = {}, retryAttempts?: number): Timing {
  const all = { ...defaultTiming, ...timing }
  if (retryAttempts === undefined) return all
  if (retryAttempts === 0) return { ...all, quickRetriesMs: [], slowRetriesMs: [] }
  return { ...all, quickRetriesMs: all.quickRetriesMs.slice(0, retryAttempts) }
}
