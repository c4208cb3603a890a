/**
 * How long a connection waits for what. One value, given once and passed down as it is, so that a test can wait milliseconds where the real
 * length is not the point, and a command can end its servers sooner.
 */
export interface Timing {
  /** For a server to notice the end of its input, before it gets SIGTERM. */
  readonly inputClosedMs: number
  /** For a server to end after SIGTERM, before it gets SIGKILL. */
  readonly terminatedMs: number
  readonly killedMs: number
  /** For processes that have left the group of their server, after SIGTERM. */
  readonly escapeeMs: number
  /** For the output of a server that has ended, and for the end of one that has closed its output. */
  readonly lastWordsMs: number
  /** The first pauses before a retry, once each. */
  readonly quickRetriesMs: readonly number[]
  /** The pauses after those. The last one repeats. */
  readonly slowRetriesMs: readonly number[]
  /** Calls and sessions right after a failed attempt get its error and start no other. */
  readonly attemptAgainMs: number
  /** A connection that held this long was a good one: the retries start over. */
  readonly goodConnectionMs: number
  /** How long a connection may be quiet before its server is pinged. */
  readonly pingEveryMs: number
  readonly pingTimeoutMs: number
  /** A list is read again this long after the first of many changes. */
  readonly listChangedMs: number
  readonly promptListMs: number
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
  promptListMs: 5_000,
}

/** The timing of one server. `retryAttempts` counts the quick retries; with 0 there are no slow ones either. */
export function timingFor(timing: Partial<Timing> = {}, retryAttempts?: number): Timing {
  const all = { ...defaultTiming, ...timing }
  if (retryAttempts === undefined) return all
  if (retryAttempts === 0) return { ...all, quickRetriesMs: [], slowRetriesMs: [] }
  return { ...all, quickRetriesMs: all.quickRetriesMs.slice(0, retryAttempts) }
}
