import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { watchLoop } from './loop-blocks.mjs'
import { until } from './processes.ts'
import { openTempDir } from './temp-dir.ts'

/** Maximum time that any input may block the event loop. */
export const loopBlockMaxMs = 50

/** For tests that check this limit: on a busy machine, the same work may take three times as long, but not every time. */
export const slowRunsAllowed = { retry: 3 }

/** Measures how long a process's event loop is blocked. Time in which other programs ran does not count. */
export interface LoopMonitor extends AsyncDisposable {
  /** The longest block since the last reset. Fails the test if the process does not return to its event loop. */
  longestBlockMs(): Promise<number>
  reset(): Promise<void>
}

/** Monitors this process. */
export function startLoopMonitor(): LoopMonitor {
  let longestMs = 0
  let turns = 0
  const stop = watchLoop((blockedMs) => {
    longestMs = Math.max(longestMs, blockedMs)
    turns++
  })
  const nextTurn = async () => {
    const before = turns
    await until('the next turn of the event loop', () => turns > before)
  }
  return {
    async longestBlockMs() {
      await nextTurn()
      return longestMs
    },
    async reset() {
      await nextTurn()
      longestMs = 0
    },
    [Symbol.asyncDispose]: () => Promise.resolve(stop()),
  }
}

/** Monitors a process that is started with `nodeArgs` before its script. */
export interface ChildLoopMonitor extends LoopMonitor {
  readonly nodeArgs: readonly string[]
}

export async function openChildLoopMonitor(): Promise<ChildLoopMonitor> {
  const dir = await openTempDir()
  const log = join(dir.path, 'loop')
  await writeFile(log, '')
  const preload = pathToFileURL(join(import.meta.dirname, 'loop-preload.mjs'))
  preload.searchParams.set('log', log)
  let first = 0

  /** Returns the lines up to one written after now. */
  async function readLines(): Promise<string[]> {
    const now = Date.now()
    return until('a word of the monitor in the process', async () => {
      const lines = (await readFile(log, 'utf8')).split('\n').slice(0, -1)
      const last = lines.at(-1) ?? ''
      return (last.endsWith('end') || Number(last.split(' ')[0]) > now) && lines
    })
  }

  return {
    nodeArgs: ['--import', preload.href],
    async longestBlockMs() {
      const lines = await readLines()
      return Math.max(0, ...lines.slice(first).map((line) => Number(line.split(' ')[1])))
    },
    async reset() {
      first = (await readLines()).length
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  }
}
