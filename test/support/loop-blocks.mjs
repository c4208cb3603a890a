import { closeSync, openSync, readSync } from 'node:fs'

const tickMs = 5

/**
 * Tells at every turn of the event loop for how many milliseconds it was blocked. Time in which the machine ran other programs does not
 * count, where Linux says how long that was.
 * @param {(blockedMs: number) => void} onTurn
 * @returns {() => void} Ends it.
 */
export function watchLoop(onTurn) {
  const { queuedMs, close } = openRunQueue()
  let at = performance.now()
  let queuedAt = queuedMs()
  const timer = setInterval(() => {
    const now = performance.now()
    const queued = queuedMs()
    onTurn(Math.max(0, now - at - (queued - queuedAt) - tickMs))
    at = now
    queuedAt = queued
  }, tickMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    close()
  }
}

/** The second number of schedstat: how long the main thread could have run and had no processor. */
function openRunQueue() {
  try {
    const file = openSync('/proc/self/schedstat', 'r')
    const text = Buffer.alloc(128)
    return {
      queuedMs: () => Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ')[1]) / 1e6,
      close: () => closeSync(file),
    }
  } catch {
    return { queuedMs: () => 0, close: () => {} }
  }
}
