import { readdir, readFile } from 'node:fs/promises'

/** Concurrent reads of /proc: enough to be fast without occupying the whole thread pool. */
const readsAtOnce = 32

/** The living processes of a group. A zombie counts as dead, although `kill(pid, 0)` succeeds. */
export async function livingInGroup(group: number): Promise<number[]> {
  return filterProcesses(async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses and may contain anything.
    const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(processGroup) === group && state !== 'Z' && state !== 'X'
  })
}

/** The processes with `NAME=value` in their environment, which child processes inherit. */
export async function livingWithEnvironment(assignment: string): Promise<number[]> {
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
