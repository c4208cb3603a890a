// Counts what a running agent does: statements, writes, timers, and turns of its event loop that run a callback. Needs `--expose-gc`.
import { createHook } from 'node:async_hooks'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { atAnswers } from './at-answers.mjs'
import { slowClock } from './slow-clock.mjs'

let [statements, writes] = [0, 0]
for (const [type, names] of [
  [StatementSync, ['run', 'get', 'all', 'iterate']],
  [DatabaseSync, ['exec']],
])
  for (const name of names) {
    const work = type.prototype[name]
    type.prototype[name] = function (...values) {
      statements++
      return work.apply(this, values)
    }
  }

const timers = new Map()
/** Callbacks that run after another one in the same turn of the event loop. */
const following = new Set()
/** When something happened, such as a timer. V8 also wakes the process to collect garbage, which nobody can plan. */
const wakes = []
createHook({
  init(id, type, _, timer) {
    if (type === 'TickObject' || type === 'Immediate') following.add(id)
    if (type === 'Timeout') timers.set(id, timer._idleTimeout)
  },
  before(id) {
    if (!following.has(id)) wakes.push(Date.now())
  },
  destroy(id) {
    following.delete(id)
    timers.delete(id)
  },
  trackPromises: false,
}).enable()

const isIdle = new URL(import.meta.url).searchParams.has('idle')
if (!isIdle) slowClock()
atAnswers(
  import.meta.url,
  () => {
    if (isIdle) globalThis.gc()
    return {
      statements,
      writes,
      timersMs: [...timers.values()],
      wakes: wakes.splice(0),
      heapBytes: process.memoryUsage().heapUsed,
    }
  },
  () => writes++,
)
