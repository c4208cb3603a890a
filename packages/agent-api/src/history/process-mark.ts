import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Names this process in a way that no other ever will: a number alone is given out again. */
export function processMark(): string {
  return [hostname(), process.pid, startOf(process.pid)].join(' ')
}

/** Whether the process that a row names has ended. One on another machine may well live. */
export function hasEnded(mark: string): boolean {
  const [host, pid, start] = mark.split(' ')
  if (host !== hostname()) return false
  return !isLiving(Number(pid)) || startOf(Number(pid)) !== start
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

/** When it began, as the kernel counts. Where there is no /proc the number of the process has to do. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in brackets, and may hold anything; a zombie has ended.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? '' : (fields[19] ?? '')
  } catch {
    return process.platform === 'linux' ? '' : '-'
  }
}
