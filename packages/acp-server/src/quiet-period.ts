import { createLatch, type Latch } from './latch.ts'

/** A period in which no unsolicited updates are sent. */
export interface QuietPeriod {
  begin(): void
  /** Restarts the period, unless it is over. */
  extend(): void
  end(): void
  readonly isOver: boolean
  /** Settles when it is over. */
  over(): Promise<void>
}

export function createQuietPeriod(quietMs: number): QuietPeriod {
  let running: { readonly latch: Latch; readonly timer: NodeJS.Timeout } | undefined

  function end(): void {
    clearTimeout(running?.timer)
    running?.latch.open()
    running = undefined
  }

  return {
    begin() {
      running ??= { latch: createLatch(), timer: setTimeout(end, quietMs).unref() }
    },
    extend: () => void running?.timer.refresh(),
    end,
    get isOver() {
      return running === undefined
    },
    async over() {
      while (running !== undefined) await running.latch.opened
    },
  }
}
