import { createSlots } from '../base/slots.ts'

export interface Rate {
  readonly calls: number
  readonly perMs: number
}

export interface Clock {
  now(): number
  /** Settles after the time, or rejects if the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** At most `calls` begin within any `perMs`. Others wait in order. */
export interface RateGate {
  pass(signal: AbortSignal): Promise<void>
}

export function createRateGate(what: string, rate: Rate, clock: Clock): RateGate {
  const line = createSlots({ activeMax: 1, of: what })
  const startTimes: number[] = []
  return {
    pass: (signal) =>
      line.run(async () => {
        for (;;) {
          const now = clock.now()
          while (startTimes.length > 0 && now - (startTimes[0] ?? 0) >= rate.perMs) startTimes.shift()
          if (startTimes.length < rate.calls) {
            startTimes.push(now)
            return
          }
          await clock.wait((startTimes[0] ?? now) + rate.perMs - now, signal)
        }
      }, signal),
  }
}
