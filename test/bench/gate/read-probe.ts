import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface Loads {
  /** The size of each file, by its name. */
  readonly files: Readonly<Record<string, number>>
  /** Modules of Node itself, beyond those that every process loads. */
  readonly builtins: readonly string[]
}

export interface Work {
  readonly statements: number
  /** Calls that write to the standard output. */
  readonly writes: number
  /** The time of each timer that is set. */
  readonly timersMs: readonly number[]
  /** When the event loop woke up since the last answer. */
  readonly wakes: readonly number[]
  readonly heapBytes: number
}

export interface Cpu {
  /** Since the last answer. */
  readonly cpuMs: number
  readonly loopMs: number
  /** V8's space for new objects, used or not. */
  readonly newSpaceBytes: number
}

interface Counts {
  readonly cpu: Cpu
  readonly loads: Loads
  readonly work: Work
}

/** A script that is loaded into an agent, where it counts until each answer. */
export interface Probe<Kind extends keyof Counts> {
  readonly nodeArgs: readonly string[]
  /** The counts up to each answer so far. */
  read(): Counts[Kind][]
}

/** `idle` is for an agent that is watched while nothing happens, `loop` for one that is compared with a fixed loop. */
export function probe<Kind extends keyof Counts>(
  kind: Kind,
  log: string,
  mode?: 'idle' | 'loop',
): Probe<Kind> {
  const url = pathToFileURL(join(import.meta.dirname, `probes/${kind}.mjs`))
  url.searchParams.set('log', log)
  if (mode !== undefined) url.searchParams.set(mode, '')
  return {
    nodeArgs: ['--expose-gc', '--import', url.href],
    read: () =>
      readFileSync(log, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Counts[Kind]),
  }
}
