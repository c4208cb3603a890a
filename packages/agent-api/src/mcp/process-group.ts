import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { livingInGroup, livingWithEnvironment } from './process-table.ts'
import type { Timing } from './timing.ts'

/** A process that we started as the leader of a group of its own, and all that it started in turn. */
export interface ProcessGroup {
  /** To be called when the leader has been waited for: from then on its number may be given to another process. */
  leaderExited(): void
  /** Ends all of it: end of input, SIGTERM, SIGKILL, each only if need be. */
  end(options: EndGroupOptions): Promise<void>
}

export interface EndGroupOptions {
  readonly closeInput: () => void
  /** Leaves out the time that a server has to notice the end of its input. */
  readonly hurry?: boolean
}

type Grace = Pick<Timing, 'inputClosedMs' | 'terminatedMs' | 'killedMs' | 'escapeeMs'>

const lookFirstMs = 5
const lookEveryMs = 50

/** `environment` is a `NAME=value` that only this group's processes were started with. It finds those that left the group. */
export function createProcessGroup(leader: number, environment: string, grace: Grace): ProcessGroup {
  let isLeaderReaped = false
  let isGone = false
  const leaderReaped = Promise.withResolvers<void>()

  /** Asks anew each time and never again after a no: a group's number is not reused while a process is in it. */
  async function isAlive(): Promise<boolean> {
    if (isGone) return false
    if (!signalGroup(leader, 0)) isGone = true
    else if (isLeaderReaped && process.platform === 'linux') isGone = (await livingInGroup(leader)).length === 0
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
    // Once the leader is gone nobody is left to pass the end of input on.
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
    leaderExited() {
      isLeaderReaped = true
      // Asked at once, before the number can be anybody else's.
      if (process.platform !== 'win32' && !signalGroup(leader, 0)) isGone = true
      leaderReaped.resolve()
    },
    async end(options) {
      if (process.platform === 'win32') return endOnWindows(options)
      await endOnUnix(options)
      if (process.platform === 'linux') await endEscapees(environment, grace)
    },
  }
}

/** What started a session of its own is in no group of ours any more, but it still has our mark. */
async function endEscapees(environment: string, { escapeeMs, killedMs }: Grace) {
  if (await signalEscapees(environment, 'SIGTERM', escapeeMs)) return
  // Looked for again, because a number may have been given away in between.
  await signalEscapees(environment, 'SIGKILL', killedMs)
}

/** True when none is left. */
async function signalEscapees(environment: string, signal: NodeJS.Signals, graceMs: number): Promise<boolean> {
  const deadline = performance.now() + graceMs
  let escaped = await livingWithEnvironment(environment)
  for (const pid of escaped) signalProcess(pid, signal)
  while (escaped.length > 0 && performance.now() < deadline) {
    await sleep(lookEveryMs)
    escaped = await livingWithEnvironment(environment)
  }
  return escaped.length === 0
}

/** False when there is no such group. */
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
    // Gone by itself.
  }
}

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', windowsHide: true })
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
}
