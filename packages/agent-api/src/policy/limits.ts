import { OstlerError } from '../errors.ts'

/** Places for work that may run at once. Who finds none waits in line; a line that is full turns newcomers away. */
export interface Slots {
  /** Runs the work when there is a place. Rejects with `limits.busy` when the line is full, and with the signal's reason when it aborts while waiting. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
  readonly running: number
  readonly waiting: number
}

export const queueLengthMax = 256

export function createSlots(what: string, size: number, queueMax = queueLengthMax): Slots {
  const line: (() => void)[] = []
  let running = 0

  /** The place goes straight to the next in line: nobody who comes later can take it in between. */
  function leave(): void {
    const next = line.shift()
    if (next === undefined) running--
    else next()
  }

  function enter(signal: AbortSignal): Promise<void> | undefined {
    signal.throwIfAborted()
    if (running < size) {
      running++
      return undefined
    }
    if (line.length >= queueMax) throw busy(what, queueMax)
    return new Promise((resolve, reject) => {
      const take = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        line.splice(line.indexOf(take), 1)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      line.push(take)
    })
  }

  return {
    async run(work, signal) {
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    get running() {
      return running
    },
    get waiting() {
      return line.length
    },
  }
}

function busy(what: string, queueMax: number): OstlerError {
  return new OstlerError('limits.busy', `Busy: ${queueMax} calls are already waiting for ${what}. Try again later.`)
}

export interface Rate {
  readonly calls: number
  readonly perMs: number
}

export interface Clock {
  now(): number
  /** Settles after the time, or rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** Lets at most `calls` begin in any window of `perMs`; the others wait for their moment, in order. */
export interface RateGate {
  pass(signal: AbortSignal): Promise<void>
}

export function createRateGate(what: string, rate: Rate, clock: Clock): RateGate {
  const line = createSlots(what, 1)
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
