import type { Logger } from '../../base/logger.ts'
import type { Timing } from '../../base/timing.ts'
import type { Statements } from './statements.ts'
import { atMost } from '../../base/or-aborted.ts'

/** May be called more than once, each time with an open database. */
export type Write = (statements: Statements) => void

const retryMs = { first: 50, max: 2_000 } as const
/** The process can do other work in between. */
const drainMsMax = 20
const bytesMax = 32 * 1024 * 1024
const writeBytesMin = 256

interface BacklogOptions {
  /** Returns false if the write must be tried again later. */
  readonly attempt: (write: Write) => boolean
  readonly timing: Pick<Timing, 'databaseWaitMs'>
  readonly logger: Logger
}

/** Writes that wait for the database, in order, and are retried until they succeed. A write that does not fit in memory is lost. */
export function createBacklog({ attempt, timing, logger }: BacklogOptions) {
  const kept = { writes: [] as { readonly write: Write; readonly bytes: number }[], bytes: 0, lost: 0 }
  let retrying: NodeJS.Timeout | undefined
  let emptied = Promise.withResolvers<void>()
  let isOutage = false

  return {
    get isEmpty(): boolean {
      return kept.writes.length === 0
    },
    add(write: Write, bytes: number): void {
      const size = bytes + writeBytesMin
      if (kept.bytes + size > bytesMax) {
        kept.lost++
        return
      }
      kept.writes.push({ write, bytes: size })
      kept.bytes += size
      retryIn(retryMs.first)
    },
    noteOutage,
    /** Settles when the backlog is empty, or when that takes too long. */
    async flushed(): Promise<void> {
      if (kept.writes.length === 0 || isOutage) return
      const isInTime = await atMost(
        timing.databaseWaitMs,
        emptied.promise.then(() => true),
        false,
      )
      if (!isInTime && kept.writes.length > 0) noteOutage('it is in use by another program')
    },
    /** Tries each write a last time, and logs how many are lost. */
    finish(): void {
      clearTimeout(retrying)
      const written = kept.writes.findIndex(({ write }) => !attempt(write))
      const left = kept.lost + (written === -1 ? 0 : kept.writes.length - written)
      if (kept.writes.length > 0 && left > 0)
        logger.warn('a part of the history could not be written before the end, and is lost', { rows: left })
    },
  }

  function retryIn(waitMs: number): void {
    if (retrying !== undefined) return
    retrying = setTimeout(() => {
      retrying = undefined
      const isBlocked = !drain()
      if (kept.writes.length > 0)
        retryIn(isBlocked ? Math.min(Math.max(waitMs * 2, retryMs.first), retryMs.max) : 0)
    }, waitMs).unref()
  }

  function drain(): boolean {
    const until = performance.now() + drainMsMax
    let done = 0
    let isWritten = true
    for (const { write, bytes } of kept.writes) {
      isWritten = attempt(write)
      if (!isWritten) break
      done++
      kept.bytes -= bytes
      if (performance.now() > until) break
    }
    kept.writes.splice(0, done)
    if (kept.writes.length === 0) endOutage()
    return isWritten
  }

  function endOutage(): void {
    emptied.resolve()
    emptied = Promise.withResolvers()
    const loss = kept.lost === 0 ? '' : `; ${kept.lost} rows did not fit in memory and are lost`
    if (isOutage || kept.lost > 0) logger.info(`the history is being written again${loss}`)
    isOutage = false
    kept.lost = 0
  }

  /** Logs the first reason of an outage. During an outage, callers do not wait for the backlog. */
  function noteOutage(reason: string): void {
    if (!isOutage)
      logger.warn(`the history cannot be written now: ${reason}; it is kept in memory until it can`)
    isOutage = true
  }
}
