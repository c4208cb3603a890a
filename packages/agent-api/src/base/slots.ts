import { OstlerError } from './errors.ts'

/** Work without a free slot waits in a queue; a full queue rejects new work. */
export interface Slots {
  /** First come, first served. Throws `limits.busy` if the queue is full, or the signal's reason if it aborts. */
  acquire(signal: AbortSignal): Promise<ReleaseSlot>
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
  readonly active: number
  readonly waiting: number
}

/** Calling it again has no effect. */
export type ReleaseSlot = () => void

interface SlotLimits {
  readonly activeMax: number
  readonly waitingMax?: number
  /** Used in the messages of errors. */
  readonly of: string
}

const waitingMaxDefault = 256

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
      // Hand the slot directly to the next in line, so that no later caller can take it in between.
      line.delete(next)
      next()
    }
  }

  async function acquire(signal: AbortSignal): Promise<ReleaseSlot> {
    signal.throwIfAborted()
    if (active < activeMax) return take()
    if (line.size >= waitingMax)
      throw new OstlerError(
        'limits.busy',
        `Busy: ${line.size} calls are already waiting for ${of}. Try again later.`,
      )
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
