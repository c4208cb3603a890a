import { OstlerError } from '../base/errors.ts'

/** The timeout of one call: ends after silence or after a total time, whichever comes first. Stands still while paused. */
export interface CallClock {
  /** Aborts on timeout, with the error as its reason. */
  readonly signal: AbortSignal
  /** Restarts the silence timer. */
  touch(): void
  pause(isPaused: boolean): void
  stop(): void
}

export interface CallTimes {
  readonly silenceMs: number
  /** Undefined if only silence ends the call. */
  readonly totalMs?: number
}

export const callSilenceDefaultMs = 30_000
const callTotalMaxMs = 10 * 60_000

/** A configured timeout limits silence only. Without one, no call takes longer than `callTotalMaxMs`, regardless of progress. */
export function callTimes(configuredMs: number | undefined): CallTimes {
  return configuredMs === undefined ? { silenceMs: callSilenceDefaultMs, totalMs: callTotalMaxMs } : { silenceMs: configuredMs }
}

export function createCallClock({ silenceMs, totalMs = Infinity }: CallTimes): CallClock {
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
      controller.abort(new OstlerError('mcp.call_timeout', `timed out after ${seconds} s`, { data: { timeoutMs: ms } }))
    }, ms)
  }

  function hold() {
    clearTimeout(timer)
    if (runsSince !== undefined) totalLeftMs = Math.max(0, totalLeftMs - (performance.now() - runsSince))
    runsSince = undefined
  }

  run()
  return {
    signal: controller.signal,
    touch() {
      if (runsSince === undefined) return
      hold()
      run()
    },
    pause(isPaused) {
      if (isPaused) hold()
      else if (runsSince === undefined) run()
    },
    stop() {
      hold()
      runsSince = undefined
    },
  }
}
