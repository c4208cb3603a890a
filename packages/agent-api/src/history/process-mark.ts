import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Names this process in a way that no other ever will: a number alone is given out again. It is the boot of the machine (its name where
 * there is no /proc), the space in which numbers are given out, the number, and when the process began.
 */
export function processMark(): string {
  return [machine(), space(), process.pid, hasProc ? startOf(process.pid) : ownStart].join(' ')
}

export type Fate = 'living' | 'ended' | 'unseen'

/** What has become of the process that a row names. One in another container cannot be seen. */
export function fateOf(mark: string): Fate {
  const [itsMachine, itsSpace, pid, start] = mark.split(' ')
  // The database cannot be shared by machines, so another boot is an earlier one; another name may be the old name of this machine.
  if (itsMachine !== machine()) return hasProc ? 'ended' : 'unseen'
  if (itsSpace !== space()) return 'unseen'
  return isLiving(Number(pid)) && isStartOf(Number(pid), start) ? 'living' : 'ended'
}

const hasProc = process.platform === 'linux'
const ownStart = String(Math.round(performance.timeOrigin))

function machine(): string {
  return (hasProc ? readOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()) : '') || hostname()
}

function space(): string {
  return hasProc ? readOr('-', () => readlinkSync('/proc/self/ns/pid')) : '-'
}

function isLiving(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It lives, and is somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Without /proc it is known of this process only, and of others the number has to do. */
function isStartOf(pid: number, start: string | undefined): boolean {
  if (hasProc) return startOf(pid) === start
  return pid !== process.pid || start === ownStart
}

/** When it began, as the kernel counts. */
function startOf(pid: number): string {
  return readOr('', () => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in brackets, and may hold anything; a zombie has ended.
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
