import { closeSync, openSync, readSync } from 'node:fs'

const tickMs = 5

/**
 * Tells at every turn of the event loop for how many milliseconds its thread worked, and for how many it stood still, as in a call that
 * waits. A busy machine does not change what is worked: that is processor time of this thread, without other programs, and without the
 * threads that collect garbage. Of the rest, the time without a processor does not count, as far as Linux says how long that was.
 * @param {(turn: import('./loop-blocks.d.mts').LoopTurn) => void} onTurn
 * @returns {() => void} Ends it.
 */
export function watchLoop(onTurn) {
  const { queuedMs, close } = openRunQueue()
  const read = () => ({ at: performance.now(), worked: workedMs(), queued: queuedMs() })
  let last = read()
  const timer = setInterval(() => {
    const now = read()
    const worked = now.worked - last.worked
    const stood = now.at - last.at - worked - (now.queued - last.queued) - tickMs
    onTurn({ workedMs: worked, stoodMs: Math.max(0, stood) })
    last = now
  }, tickMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    close()
  }
}

const values = JSON.stringify(
  Array.from({ length: 2_000 }, (_, index) => ({
    [`name${index}`]: index,
    list: [index, `${index}`],
    text: 'a few words',
  })),
)
const rounds = 20

/**
 * Measures the time that this thread needs for a fixed amount of work: it depends on the machine, and on what else runs beside it now. The least of
 * several times has no wait for a processor in it. Linux counts processor time too coarsely for so little work.
 */
export function fixedWorkMs() {
  let least = Infinity
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    JSON.stringify(JSON.parse(values))
    least = Math.min(least, performance.now() - began)
  }
  return least
}

function workedMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The second number of schedstat: how long the main thread could have run and had no processor. */
function openRunQueue() {
  try {
    const file = openSync('/proc/self/schedstat', 'r')
    const text = Buffer.alloc(128)
    return {
      queuedMs: () =>
        Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ')[1]) / 1e6,
      close: () => closeSync(file),
    }
  } catch {
    return { queuedMs: () => 0, close: () => {} }
  }
}
