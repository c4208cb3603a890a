import { OstlerError } from './errors.ts'

/** Places for work that may be done at once. Who finds none waits in line; a line that is full turns newcomers away. */
export interface Slots {
  /** Waits for a place, first come first served. Throws `limits.busy` when the line is full, the signal's reason when it aborts. */
  acquire(signal: AbortSignal): Promise<ReleaseSlot>
  /** Holds a place for as long as the work takes, however it ends. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
  readonly active: number
  readonly waiting: number
}

/** Gives the place back; a second call does nothing. */
export type ReleaseSlot = () => void

export interface SlotLimits {
  readonly activeMax: number
  readonly waitingMax?: number
  /** What is waited for, in words for a person. */
  readonly of: string
}

export const waitingMaxDefault = 256

export function createSlots({ activeMax, waitingMax = waitingMaxDefault, of }: SlotLimits): Slots {
  const line = new Set<() => void>()
  let active = 0

  function take(): ReleaseSlot {
    active++
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      active--
      const [next] = line
      if (next === undefined) return
      // The place goes straight to the next in line: nobody who comes later can take it in between.
      line.delete(next)
      next()
    }
  }

  async function acquire(signal: AbortSignal): Promise<ReleaseSlot> {
    signal.throwIfAborted()
    if (active < activeMax) return take()
    if (line.size >= waitingMax)
      throw new OstlerError('limits.busy', `Busy: ${line.size} calls are already waiting for ${of}. Try again later.`)
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', giveUp)
        resolve(take())
      }
      const giveUp = () => {
        line.delete(enter)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      line.add(enter)
    })
  }

  return {
    acquire,
    async run(work, signal) {
      const release = await acquire(signal)
      try {
        return await work()
      } finally {
        release()
      }
    },
    get active() {
      return active
    },
    get waiting() {
      return line.size
    },
  }
}
