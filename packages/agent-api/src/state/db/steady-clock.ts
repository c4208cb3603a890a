import type { Statements } from './statements.ts'

/** The readings of the clock by which data counts as old, in milliseconds. Stored, because a clock may also jump between two processes. */
export interface SteadyClock {
  readonly seenAt: number
  /** Since then, no reading differed much from the previous one. */
  readonly steadySince: number
  readonly trustedAt: number
}

const dayMs = 24 * 60 * 60 * 1_000
/** A computer that was off for longer seems the same as one with a wrong clock. */
const jumpMs = 7 * dayMs
/** A wrong clock is usually set right within this time. */
const confirmMs = dayMs

/**
 * Adds a reading. After a jump ahead, the reading before it is trusted until the clock has gone on for a day. A jump back shows that
 * earlier readings may have been wrong.
 */
export function readClock({ seenAt, steadySince, trustedAt }: SteadyClock, now: number): SteadyClock {
  if (now - seenAt > jumpMs) return { seenAt: now, steadySince: now, trustedAt: seenAt }
  const since = seenAt - now > jumpMs ? now : steadySince
  return {
    seenAt: now,
    steadySince: since,
    trustedAt: now - since >= confirmMs ? now : Math.min(now, trustedAt),
  }
}

export function noteClock(statements: Statements, now: number): number {
  const row = statements.get('SELECT seen_at, steady_since, trusted_at FROM clock') ?? {}
  const at = (name: string) => Number(row[name] ?? now)
  const clock = readClock(
    { seenAt: at('seen_at'), steadySince: at('steady_since'), trustedAt: at('trusted_at') },
    now,
  )
  statements.run(
    'UPDATE clock SET seen_at = ?, steady_since = ?, trusted_at = ?',
    clock.seenAt,
    clock.steadySince,
    clock.trustedAt,
  )
  return clock.trustedAt
}
