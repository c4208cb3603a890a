export type QuietPeriod = ReturnType<typeof createQuietPeriod>

/** A period in which no unsolicited updates are sent. */
export function createQuietPeriod(quietMs: number) {
  let running: (PromiseWithResolvers<void> & { readonly timer: NodeJS.Timeout }) | undefined

  function end(): void {
    clearTimeout(running?.timer)
    running?.resolve()
    running = undefined
  }

  return {
    begin(): void {
      running ??= { ...Promise.withResolvers(), timer: setTimeout(end, quietMs).unref() }
    },
    /** Restarts the period, unless it is over. */
    extend: () => void running?.timer.refresh(),
    end,
    get isOver() {
      return running === undefined
    },
    async over(): Promise<void> {
      while (running !== undefined) await running.promise
    },
  }
}
