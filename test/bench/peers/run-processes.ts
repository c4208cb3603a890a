import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The processes of a run: those whose environment or command line names its folder. They are found wherever they have gone: in other groups, in
 * other sessions, without their parents. Empty outside Linux.
 */
export function processesOf(folder: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) =>
      ['environ', 'cmdline'].some((file) => read(`/proc/${pid}/${file}`).includes(`${folder}/`)),
    )
    .map(Number)
}

/** The processes of the agent itself, without the MCP servers. A process of the agent may have their settings in its command line. */
export function agentProcessesOf(folder: string, serverScript: string): number[] {
  return processesOf(folder).filter((pid) => {
    const [, script = ''] = read(`/proc/${pid}/cmdline`).split('\0')
    return !script.endsWith(serverScript)
  })
}

/** Returns the number of processes that still live after the time, or 0 as soon as all have ended. */
export async function countSurvivors(folder: string, withinMs: number): Promise<number> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const { length } = processesOf(folder)
    if (length === 0 || performance.now() >= deadline) return length
    await sleep(20)
  }
}

/** Ends what a folder has started, at once. A process that is just starting another can leave one, so it looks again. */
export function killProcessesOf(folder: string): void {
  for (let look = 0; look < 10; look++) {
    const pids = processesOf(folder)
    if (pids.length === 0) return
    for (const pid of pids) kill(pid)
  }
}

/** A negative number is a group. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** A zombie, and a process that has ended, has an empty environment and command line. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
