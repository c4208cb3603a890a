import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fixedWorkMs, watchLoop } from './loop-blocks.mjs'
import { until } from './processes.ts'
import { openTempDir } from './temp-dir.ts'

/** Maximum time that the thread of the event loop may work in one turn, whatever the input. */
export const loopWorkMaxMs = 50

/** The same for a whole process, which compiles and optimizes its code in between. Without limits on the input, it would be seconds. */
export const processWorkMaxMs = 2 * loopWorkMaxMs

/** Measures how long a process's event loop is blocked. Each fails the test if the process does not return to its event loop. */
export interface LoopMonitor extends AsyncDisposable {
  /** The most processor time of one turn since the last reset, divided by `fixedWorkMs`, which is 1 on an idle machine of today. */
  longestWorkMs(): Promise<number>
  /** The longest time since the last reset that the thread stood still in one turn, as in a call that waits. A busy machine extends it. */
  longestStandMs(): Promise<number>
  reset(): Promise<void>
}

/** Monitors this process. */
export function startLoopMonitor(): LoopMonitor {
  let longest = { workedMs: 0, stoodMs: 0 }
  let turns = 0
  let fixedMs = fixedWorkMs()
  const stop = watchLoop(({ workedMs, stoodMs }) => {
    longest = { workedMs: Math.max(longest.workedMs, workedMs), stoodMs: Math.max(longest.stoodMs, stoodMs) }
    turns++
  })
  const nextTurn = async () => {
    const before = turns
    await until('the next turn of the event loop', () => turns > before)
  }
  return {
    async longestWorkMs() {
      await nextTurn()
      return longest.workedMs / Math.max(fixedMs, fixedWorkMs())
    },
    async longestStandMs() {
      await nextTurn()
      return longest.stoodMs
    },
    async reset() {
      fixedMs = fixedWorkMs()
      await nextTurn()
      longest = { workedMs: 0, stoodMs: 0 }
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

  async function longestOf(column: number): Promise<{ readonly longest: number; readonly fixedMs: number }> {
    const lines = await readLines()
    const longest = Math.max(0, ...lines.slice(first).map((line) => Number(line.split(' ')[column])))
    return { longest, fixedMs: Number(lines[0]?.split(' ')[3]) }
  }

  return {
    nodeArgs: ['--import', preload.href],
    async longestWorkMs() {
      const { longest, fixedMs } = await longestOf(1)
      return longest / Math.max(fixedMs, fixedWorkMs())
    },
    longestStandMs: async () => (await longestOf(2)).longest,
    async reset() {
      first = (await readLines()).length
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  }
}
