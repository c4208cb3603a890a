import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

type Falsy = false | undefined | null | 0 | ''

export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** The state in `/proc/PID/stat`; `Z` is a zombie. */
  readonly state: string
}

/** Alive and not a zombie. `kill(pid, 0)` also succeeds for zombies. */
export async function isAlive(pid: number): Promise<boolean> {
  const row = readProcess(pid)
  return row !== undefined && row.state !== 'Z' && row.state !== 'X'
}

/** All living descendants. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const rows = allProcesses().filter((row) => row.state !== 'Z')
  const found: number[] = []
  let parents = new Set([pid])
  while (parents.size > 0) {
    const children = rows.filter((row) => parents.has(row.parent)).map((row) => row.pid)
    found.push(...children)
    parents = new Set(children)
  }
  return found
}

/** Processes whose command line contains the text. Use a random text to find this test's processes only. */
export async function processesWithArgument(text: string): Promise<number[]> {
  // A zombie has no command line.
  return allPids().filter(
    (pid) => pid !== process.pid && read(`/proc/${pid}/cmdline`)?.includes(text) === true,
  )
}

/** Processes that are still alive after the time. Returns early once all are gone. */
export async function survivorsAfter(pids: readonly number[], withinMs: number): Promise<number[]> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const alive: number[] = []
    for (const pid of pids) if (await isAlive(pid)) alive.push(pid)
    if (alive.length === 0 || performance.now() >= deadline) return alive
    await sleep(20)
  }
}

/** Polls until a condition is met. Fails with its description. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs = 20_000,
): Promise<Exclude<T, Falsy>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen) return seen as Exclude<T, Falsy>
    if (performance.now() >= deadline) throw new Error(`waited ${withinMs} ms for ${what}`)
    await sleep(10)
  }
}

// These reads do not wait for a disk, so a hundred of them take a few milliseconds; as promises they would take many times that.
function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

function allProcesses(): ProcessRow[] {
  return allPids().flatMap((pid) => readProcess(pid) ?? [])
}

function readProcess(pid: number): ProcessRow | undefined {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The second field is the program's name in parentheses and may contain anything.
  const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === undefined) return undefined
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), state }
}

/** The text of a file, or undefined if its process is gone. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
