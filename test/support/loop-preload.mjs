// Loaded into a process with `--import loop-preload.mjs?log=FILE`. Every 50 ms it writes a line: when, the most that one turn of the event loop
// worked and stood still since the last line, and how long a fixed amount of work took at the start.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { fixedWorkMs, watchLoop } from './loop-blocks.mjs'

const lineEveryMs = 50
const file = new URL(import.meta.url).searchParams.get('log')

if (isMainThread && file !== null) {
  let longest = { workedMs: 0, stoodMs: 0 }
  let writtenAt = 0
  const fixedMs = fixedWorkMs()
  const write = (/** @type {string} */ end) =>
    appendFileSync(
      file,
      `${Date.now()} ${longest.workedMs.toFixed(1)} ${longest.stoodMs.toFixed(1)} ${fixedMs.toFixed(2)}${end}\n`,
    )
  watchLoop(({ workedMs, stoodMs }) => {
    longest = { workedMs: Math.max(longest.workedMs, workedMs), stoodMs: Math.max(longest.stoodMs, stoodMs) }
    if (performance.now() - writtenAt < lineEveryMs) return
    write('')
    writtenAt = performance.now()
    longest = { workedMs: 0, stoodMs: 0 }
  })
  process.on('exit', () => write(' end'))
}
