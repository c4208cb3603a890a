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

slowClock()
let alone = new Set()
atAnswers(import.meta.url, () => ({
  files,
  builtins: process.moduleLoadList.filter((name) => !alone.has(name)).map((name) => name.split(' ').at(-1)),
}))
alone = new Set(process.moduleLoadList)
