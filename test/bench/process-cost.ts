import { readFileSync } from 'node:fs'

/** In steps of ten milliseconds, with what has ended below the process. Not known outside Linux. */
export function cpuMsOf(pid: number | undefined): number {
  if (process.platform !== 'linux') return NaN
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number)
  return 10 * (user + system + childUser + childSystem)
}

/** Proportional set size, in bytes: shared pages count in part. Not known outside Linux. */
export function pssOf(pid: number | undefined): number {
  if (process.platform !== 'linux') return NaN
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return 1_024 * Number(/^Pss:\s*(\d+)/m.exec(rollup)?.[1])
}
