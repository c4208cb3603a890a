import { OstlerError } from '../base/errors.ts'

/** The time one call has. It ends by silence, or by the whole, whichever is first; it stands still while `pause` holds. */
export interface CallClock {
  /** Aborts when the time is up, with the error to throw as its reason. */
  readonly signal: AbortSignal
  /** A sign of life: the silence begins anew. */
  touch(): void
  pause(isPaused: boolean): void
  stop(): void
}

export interface CallTimes {
  readonly silenceMs: number
  /** Unset where only silence ends the call. */
  readonly totalMs?: number
}

export const callSilenceDefaultMs = 30_000
const callTotalMaxMs = 10 * 60_000

/** A configured time holds as it is. Without one, no call takes longer than `callTotalMaxMs`, whatever progress it reports. */
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
