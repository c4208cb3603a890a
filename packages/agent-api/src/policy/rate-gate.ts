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

/** Lets at most `calls` calls begin within any `perMs`. Others wait in order. */
export interface RateGate {
  pass(signal: AbortSignal): Promise<void>
}

export function createRateGate(what: string, rate: Rate, clock: Clock): RateGate {
  const line = createSlots({ activeMax: 1, of: what })
  const begun: number[] = []
  return {
    pass: (signal) =>
      line.run(async () => {
        for (;;) {
          const now = clock.now()
          while (begun.length > 0 && now - (begun[0] ?? 0) >= rate.perMs) begun.shift()
          if (begun.length < rate.calls) {
            begun.push(now)
            return
          }
          await clock.wait((begun[0] ?? now) + rate.perMs - now, signal)
        }
      }, signal),
  }
}
