import { OstlerError } from '../errors.ts'

export interface Slots {
  /** Waits for a free slot, first come first served. Throws `mcp.busy` when too many wait already, the signal's reason when it aborts. */
  acquire(signal: AbortSignal): Promise<ReleaseSlot>
}

/** Gives the slot back; a second call does nothing. */
export type ReleaseSlot = () => void

interface Waiter {
  grant(): void
}

/** Bounds how much of one thing happens at once, and how much may wait for it. */
export function createSlots(limits: { activeMax: number; waitingMax: number }): Slots {
  const waiting = new Set<Waiter>()
  let active = 0

  function release() {
    active--
    const [next] = waiting
    if (next === undefined) return
    waiting.delete(next)
    next.grant()
  }

  function take(): ReleaseSlot {
    active++
    let held = true
    return () => {
      if (!held) return
      held = false
      release()
    }
  }

  return {
    async acquire(signal) {
      signal.throwIfAborted()
      if (active < limits.activeMax) return take()
      if (waiting.size >= limits.waitingMax) throw new OstlerError('mcp.busy', `${waiting.size} calls are waiting already`)
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          grant() {
            signal.removeEventListener('abort', onAbort)
            resolve(take())
          },
        }
        function onAbort() {
          waiting.delete(waiter)
          reject(signal.reason as Error)
        }
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.add(waiter)
      })
    },
  }
}
