import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Grace } from '../base/timing.ts'
import { readdir, readFile } from 'node:fs/promises'

/** A process that was started as a group leader, with all its descendants. */
export type ProcessTree = ReturnType<typeof createProcessTree>

interface EndGroupOptions {
  readonly closeInput: () => void
  /** Skips the grace period after closing stdin. */
  readonly hurry?: boolean
}

const lookFirstMs = 5
const lookEveryMs = 50

/** `environment` is a `NAME=value` unique to this group. It identifies processes that left the group. */
export function createProcessTree(leader: number, environment: string, grace: Grace) {
  let isLeaderReaped = false
  let isGone = false
  const leaderReaped = Promise.withResolvers<void>()

  /** Never checks again once the group is gone, because its id may then be reused. */
  async function isAlive(): Promise<boolean> {
    if (isGone) return false
    if (!signalGroup(leader, 0)) isGone = true
    else if (isLeaderReaped && process.platform === 'linux')
      isGone = (await livingInGroup(leader)).length === 0
    return !isGone
  }

  function send(signal: NodeJS.Signals) {
    if (!isGone && !signalGroup(leader, signal)) isGone = true
  }

  async function goneWithin(ms: number, stopEarly = () => false): Promise<boolean> {
    const deadline = performance.now() + ms
    for (let wait = lookFirstMs; ; wait = Math.min(wait * 2, lookEveryMs)) {
      if (!(await isAlive())) return true
      if (performance.now() >= deadline || stopEarly()) return false
      await (isLeaderReaped ? sleep(wait) : Promise.race([sleep(wait), leaderReaped.promise]))
    }
  }

  async function endOnUnix({ closeInput, hurry = false }: EndGroupOptions) {
    closeInput()
    // Only the leader passes on the end of input.
    if (!hurry && (await goneWithin(grace.inputClosedMs, () => isLeaderReaped))) return
    send('SIGTERM')
    if (await goneWithin(grace.terminatedMs)) return
    send('SIGKILL')
    await goneWithin(grace.killedMs)
  }

  async function endOnWindows({ closeInput, hurry = false }: EndGroupOptions) {
    closeInput()
    if (!hurry) await Promise.race([leaderReaped.promise, sleep(grace.inputClosedMs)])
    if (isLeaderReaped) return
    await run('taskkill', ['/T', '/F', '/PID', String(leader)])
    await Promise.race([leaderReaped.promise, sleep(grace.killedMs)])
  }

  return {
    isAlive,
    /** Call once the leader has been reaped: its pid may then be reused. */
    leaderExited(): void {
      isLeaderReaped = true
      // Checked at once, before the id can be reused.
      if (process.platform !== 'win32' && !signalGroup(leader, 0)) isGone = true
      leaderReaped.resolve()
    },
    /** Ends all processes: closes stdin, then sends SIGTERM and SIGKILL if necessary. */
    async end(options: EndGroupOptions): Promise<void> {
      if (process.platform === 'win32') return endOnWindows(options)
      await endOnUnix(options)
      if (process.platform === 'linux') await endEscapees(environment, grace)
    },
  }
}

/** Ends processes that left the group by starting their own session. They still have the environment mark. */
async function endEscapees(environment: string, { escapeeMs, killedMs }: Grace) {
  if (await signalEscapees(environment, 'SIGTERM', escapeeMs)) return
  // Search again, because a pid may have been reused.
  await signalEscapees(environment, 'SIGKILL', killedMs)
}

async function signalEscapees(
  environment: string,
  signal: NodeJS.Signals,
  graceMs: number,
): Promise<boolean> {
  const deadline = performance.now() + graceMs
  let escaped = await livingWithEnvironment(environment)
  for (const pid of escaped) signalProcess(pid, signal)
  for (let wait = lookFirstMs; escaped.length > 0 && performance.now() < deadline; wait *= 2) {
    await sleep(Math.min(wait, lookEveryMs))
    escaped = await livingWithEnvironment(environment)
  }
  return escaped.length === 0
}

/** False if the group does not exist. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // Already gone.
  }
}

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', windowsHide: true })
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
}

/** Concurrent reads of /proc: enough to be fast without occupying the whole thread pool. */
const readsAtOnce = 32

/** The living processes of a group. A zombie counts as dead, although `kill(pid, 0)` succeeds. */
async function livingInGroup(group: number): Promise<number[]> {
  return filterProcesses(async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses and may contain anything.
    const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(processGroup) === group && state !== 'Z' && state !== 'X'
  })
}

/** The processes with `NAME=value` in their environment, which child processes inherit. */
async function livingWithEnvironment(assignment: string): Promise<number[]> {
  return filterProcesses(async (pid) => {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1')
    return `\0${environment}`.includes(`\0${assignment}\0`)
  })
}

async function filterProcesses(matches: (pid: number) => Promise<boolean>): Promise<number[]> {
  const names = await readdir('/proc').catch(() => [])
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid)
  const found: number[] = []
  async function work() {
    for (let pid = pids.pop(); pid !== undefined; pid = pids.pop()) {
      // Processes may just have ended, and those of other users cannot be read.
      if (await matches(pid).catch(() => false)) found.push(pid)
    }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, work))
  return found
}
