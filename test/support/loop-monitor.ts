import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { watchLoop } from './loop-blocks.mjs'
import { until } from './processes.ts'
import { openTempDir } from './temp-dir.ts'

/** No input may block the event loop for longer. */
export const loopBlockMaxMs = 50

/** For tests that hold a block against that: on a busy machine the same work may take three times as long, but not each time. */
export const slowRunsAllowed = { retry: 3 }

/** How long the event loop of a process was blocked. Time in which the machine ran other programs does not count. */
export interface LoopMonitor extends AsyncDisposable {
  /** The longest block since the last reset, up to now. A process that does not come back to its event loop fails the test. */
  longestBlockMs(): Promise<number>
  reset(): Promise<void>
}

/** A monitor of this process. */
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

/** A monitor of a process that is started with `nodeArgs` in front of its script. */
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

  /** The lines up to one that was written after now. */
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
