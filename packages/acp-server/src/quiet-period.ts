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
  let running: (PromiseWithResolvers<void> & { readonly timer: NodeJS.Timeout }) | undefined

  function end(): void {
    clearTimeout(running?.timer)
    running?.resolve()
    running = undefined
  }

  return {
    begin() {
      running ??= { ...Promise.withResolvers(), timer: setTimeout(end, quietMs).unref() }
    },
    extend: () => void running?.timer.refresh(),
    end,
    get isOver() {
      return running === undefined
    },
    async over() {
      while (running !== undefined) await running.promise
    },
  }
}
