import { createLatch, type Latch } from './latch.ts'

/** How long nothing is said of a session after its turn was cancelled or it was loaded, if the editor does not ask for it sooner. */
export const quietMs = 2_500

/** A time in which nothing is sent that nobody asked for. */
export interface QuietPeriod {
  begin(): void
  /** Begins the time anew. Nothing happens when it is over. */
  extend(): void
  end(): void
  readonly isOver: boolean
  /** Settles when it is over. */
  over(): Promise<void>
}

export function createQuietPeriod(): QuietPeriod {
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
