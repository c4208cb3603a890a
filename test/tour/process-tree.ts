import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface RunningProcess {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** All living descendants of a process. */
export function processesBelow(root: number): RunningProcess[] {
  const all = listProcesses()
  const found: RunningProcess[] = []
  let parents = new Set([root])
  while (parents.size > 0) {
    const children = all.filter(({ parent }) => parents.has(parent))
    found.push(...children)
    parents = new Set(children.map(({ pid }) => pid))
  }
  return found
}

export function stillRunning(pids: readonly number[]): RunningProcess[] {
  return listProcesses().filter(({ pid }) => pids.includes(pid))
}

/** A minimal machine has no `ps`, and macOS has no `/proc`. */
function listProcesses(): RunningProcess[] {
  return existsSync('/proc/self/stat') ? readdirSync('/proc').flatMap(readLinuxProcess) : listWithPs()
}

/** A zombie is dead, but its parent has not reaped it. */
const zombie = 'Z'

function readLinuxProcess(name: string): RunningProcess[] {
  if (!/^\d+$/.test(name)) return []
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    // The program's name is in parentheses and may contain anything.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return state === zombie ? [] : [{ pid: Number(name), parent: Number(parent), command }]
  } catch {
    return [] // It has just ended.
  }
}

function listWithPs(): RunningProcess[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,command='], { encoding: 'utf8' }).split(
    '\n',
  )
  return lines.flatMap((line) => {
    const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined || state.startsWith(zombie)
      ? []
      : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}
