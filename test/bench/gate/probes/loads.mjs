// Counts what is loaded.
import { statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { atAnswers } from './at-answers.mjs'
import { slowClock } from './slow-clock.mjs'

const files = {}
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) files[url.slice(url.lastIndexOf('/') + 1)] = statSync(new URL(url)).size
    return next(url, context)
  },
})

/** Node loads these modules if standard error is a file or a terminal, and not a pipe. */
const ofStderr = /sync_write_stream$|\btty/

slowClock()
let alone = new Set()
atAnswers(import.meta.url, () => ({
  files,
  builtins: process.moduleLoadList
    .filter((name) => !alone.has(name) && !ofStderr.test(name))
    .map((name) => name.split(' ').at(-1)),
}))
alone = new Set(process.moduleLoadList)
