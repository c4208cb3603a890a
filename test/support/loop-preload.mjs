// Loaded into a process with `--import loop-preload.mjs?log=FILE`. Every 50 ms it writes a line: when, and the longest block since the last line.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { watchLoop } from './loop-blocks.mjs'

const lineEveryMs = 50
const file = new URL(import.meta.url).searchParams.get('log')

if (isMainThread && file !== null) {
  let longestMs = 0
  let writtenAt = 0
  const write = (/** @type {string} */ end) => appendFileSync(file, `${Date.now()} ${longestMs.toFixed(1)}${end}\n`)
  watchLoop((blockedMs) => {
    longestMs = Math.max(longestMs, blockedMs)
    if (performance.now() - writtenAt < lineEveryMs) return
    write('')
    writtenAt = performance.now()
    longestMs = 0
  })
  process.on('exit', () => write(' end'))
}
