import type { Statements } from './statements.ts'

/** The readings of the clock by which data counts as old, in milliseconds. Stored, because a clock may also jump between two processes. */
export interface SteadyClock {
  readonly seenAt: number
  /** No reading since then differed much from the one before it. */
  readonly steadySince: number
}

const dayMs = 24 * 60 * 60 * 1_000
/** A computer that was off for longer seems the same as one with a wrong clock. */
const jumpMs = 7 * dayMs
/** A wrong clock is usually set right within this time. */
const confirmMs = dayMs

/** Adds a reading. */
export function readClock(clock: SteadyClock, now: number): SteadyClock {
  const hasJumped = Math.abs(now - clock.seenAt) > jumpMs
  return { seenAt: now, steadySince: hasJumped ? now : clock.steadySince }
}

/** False for some time after a jump, in either direction. Nothing is deleted because of its age then. */
export function isSteady({ seenAt, steadySince }: SteadyClock): boolean {
  return seenAt - steadySince >= confirmMs
}

export function noteClock(statements: Statements, now: number): SteadyClock {
  const { seen_at, steady_since } = statements.get('SELECT seen_at, steady_since FROM clock') ?? {}
  const clock = readClock({ seenAt: Number(seen_at ?? now), steadySince: Number(steady_since ?? now) }, now)
  statements.run('UPDATE clock SET seen_at = ?, steady_since = ?', clock.seenAt, clock.steadySince)
  return clock
}
