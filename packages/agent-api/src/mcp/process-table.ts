import { readdir, readFile } from 'node:fs/promises'

/** How many files of /proc are read at once: enough to be quick, and leaves the thread pool to others. */
const readsAtOnce = 32

/** The processes of a group that live. A zombie is dead, whatever `kill(pid, 0)` says of it. */
export async function livingInGroup(group: number): Promise<number[]> {
  return filterProcesses(async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in brackets, and may hold anything.
    const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(processGroup) === group && state !== 'Z' && state !== 'X'
  })
}

/** The processes that were started with `NAME=value` in their environment, or by one that was. */
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
      // Processes come and go while we look, and those of other users cannot be read.
      if (await matches(pid).catch(() => false)) found.push(pid)
    }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, work))
  return found
}
