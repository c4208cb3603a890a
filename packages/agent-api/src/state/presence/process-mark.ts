import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Row } from '../db/statements.ts'

/**
 * Identifies this process uniquely, because process ids are reused. Consists of the machine's boot id (its name without /proc), the pid
 * namespace, the pid, and the start time.
 */
export function processMark(): string {
  return (ownMark ??= [
    machineId(),
    pidNamespace(),
    process.pid,
    hasProc ? startOf(process.pid) : ownStart,
  ].join(' '))
}

let ownMark: string | undefined

type Fate = 'living' | 'ended' | 'unseen'

/** The state of the process named in a row. A process in another container is `unseen`. */
export function fateOf(mark: string): Fate {
  if (mark === processMark()) return 'living'
  const [machine, namespace] = processMark().split(' ')
  const [markedMachine, markedNamespace, pid, start] = mark.split(' ')
  // Machines cannot share the database, so another boot id is from an earlier boot. Another host name may be an old name of this machine.
  if (markedMachine !== machine) return hasProc ? 'ended' : 'unseen'
  if (markedNamespace !== namespace) return 'unseen'
  // Without /proc, only the start time of this process is known, and its mark is another.
  const isSame = hasProc ? startOf(Number(pid)) === start : Number(pid) !== process.pid
  return isSame && isLiving(Number(pid)) ? 'living' : 'ended'
}

/** True if the process of a row has ended. One that cannot be seen from here may still run. */
export function hasEnded({ process }: Row): boolean {
  return fateOf(String(process)) === 'ended'
}

const hasProc = process.platform === 'linux'
const ownStart = hasProc ? '' : String(Math.round(performance.timeOrigin))

function machineId(): string {
  return (
    (hasProc ? readOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()) : '') ||
    hostname()
  )
}

function pidNamespace(): string {
  return hasProc ? readOr('-', () => readlinkSync('/proc/self/ns/pid')) : '-'
}

function isLiving(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function startOf(pid: number): string {
  return readOr('', () => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses and may contain anything. A zombie has ended.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? '' : (fields[19] ?? '')
  })
}

function readOr(fallback: string, read: () => string): string {
  try {
    return read()
  } catch {
    return fallback
  }
}
