/** The time that processes have to end before each stronger measure. */
export interface Grace {
  /** From closing the input until SIGTERM. */
  readonly inputClosedMs: number
  /** From SIGTERM until SIGKILL. */
  readonly terminatedMs: number
  readonly killedMs: number
  /** From SIGTERM until SIGKILL, for processes that left their group. */
  readonly escapeeMs: number
}

/**
 * The grace periods, retries and intervals of an agent in one value, passed down unchanged. Tests can shorten the waits, and commands can
 * end their servers sooner.
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
  /** Interval between checks whether another process has changed a login. */
  readonly loginCheckMs: number
  /** Interval between checks of the agent file. A changed one is read once a second check, a quarter of it later, sees the same version. */
  readonly agentFileCheckMs: number
  /** Interval between checks whether another process has changed the stored servers. */
  readonly storedServersCheckMs: number
  /** Minimum time between two checks whether the database is still where it was opened. */
  readonly databasePlaceCheckMs: number
  /** Maximum time to wait for another program that uses the database. */
  readonly databaseWaitMs: number
  /** Delay after which Ostler says what it is waiting for. */
  readonly databaseTellMs: number
  /** Maximum time that one last write may hold up the end of the process. */
  readonly databaseFinishMs: number
  /** Delay before the first retry of a request to a model. It doubles with each retry. */
  readonly modelRetryMs: number
  /** Delay after which the person learns why they wait for the model. */
  readonly modelPatienceMs: number
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
  loginCheckMs: 1_000,
  agentFileCheckMs: 1_000,
  storedServersCheckMs: 1_000,
  databasePlaceCheckMs: 1_000,
  databaseWaitMs: 5_000,
  databaseTellMs: 1_000,
  databaseFinishMs: 2_000,
  modelRetryMs: 1_000,
  modelPatienceMs: 2_000,
}

export function toTiming(timing: Partial<Timing> = {}): Timing {
  return { ...defaultTiming, ...timing }
}
