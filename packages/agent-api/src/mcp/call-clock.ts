import { OstlerError } from '../base/errors.ts'

export interface CallTimes {
  readonly silenceMs: number
  readonly totalMs: number
}

export const callSilenceDefaultMs = 30_000
const callTotalMs = 10 * 60_000
/** A person who allows long silences expects long calls. */
const totalPerSilence = 10

/** A timeout limits silence. Endless progress ends as well: after ten minutes, or after ten timeouts if that is longer. */
export function callTimes(silenceMs = callSilenceDefaultMs): CallTimes {
  return { silenceMs, totalMs: Math.max(callTotalMs, totalPerSilence * silenceMs) }
}

/** The timeout of one call: ends after silence or after a total time, whichever comes first. Stands still while paused. */
export function createCallClock({ silenceMs, totalMs }: CallTimes) {
  const controller = new AbortController()
  let runsSince: number | undefined
  let totalLeftMs = totalMs
  let timer: NodeJS.Timeout | undefined

  function run() {
    clearTimeout(timer)
    runsSince = performance.now()
    const ms = Math.min(silenceMs, totalLeftMs)
    timer = setTimeout(() => {
      const seconds = Math.round((ms < silenceMs ? totalMs : silenceMs) / 100) / 10
      controller.abort(
        new OstlerError('mcp.call_timeout', `timed out after ${seconds} s`, { data: { timeoutMs: ms } }),
      )
    }, ms)
  }

  function hold() {
    clearTimeout(timer)
    if (runsSince !== undefined) totalLeftMs = Math.max(0, totalLeftMs - (performance.now() - runsSince))
    runsSince = undefined
  }

  run()
  return {
    /** Aborts on timeout, with the error as its reason. */
    get signal(): AbortSignal {
      return controller.signal
    },
    touch(): void {
      if (runsSince === undefined) return
      hold()
      run()
    },
    pause(isPaused: boolean): void {
      if (isPaused) hold()
      else if (runsSince === undefined) run()
    },
    stop: hold,
  }
}
