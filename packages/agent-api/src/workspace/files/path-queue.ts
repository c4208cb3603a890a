import { createSlots, type Slots } from '../../base/slots.ts'

/** Runs the work on each path one at a time, in the order it was asked for. Work whose signal aborts while it waits never begins. */
export type PathQueue = <T>(path: string, work: () => Promise<T>, signal: AbortSignal) => Promise<T>

export function createPathQueue(): PathQueue {
  const queues = new Map<string, Slots>()
  return async (path, work, signal) => {
    const slots = queues.get(path) ?? createSlots({ activeMax: 1, of: 'this file' })
    queues.set(path, slots)
    try {
      return await slots.run(work, signal)
    } finally {
      if (slots.active === 0 && slots.waiting === 0) queues.delete(path)
    }
  }
}
