import { readdirSync, readFileSync } from 'node:fs'
import type { LineClient } from '../line-client.ts'
import { median } from '../measure.ts'
import type { Point } from './curve.ts'

/** Milliseconds of processor time that a size takes, one for each measurement. */
export interface Size {
  readonly x: number
  readonly cost: () => Promise<number>
}

/** Measures the sizes in turns, so that a slow moment affects all of them. The first turns warm up. */
export async function measureSizes(
  sizes: readonly Size[],
  rounds: number,
  warmUp = 2,
): Promise<readonly Point[]> {
  const costs = sizes.map((): number[] => [])
  for (let round = -warmUp; round < rounds; round++)
    for (const [index, { cost }] of sizes.entries()) {
      const value = await cost()
      if (round >= 0) costs[index]?.push(value)
    }
  return sizes.map(({ x }, index) => ({ x, y: median(costs[index] ?? []) }))
}

/** Processor time of all threads of an agent during a request. */
export async function costOf({ process: { pid } }: LineClient, ask: () => Promise<unknown>): Promise<number> {
  const before = threadsMsOf(pid)
  await ask()
  return threadsMsOf(pid) - before
}

/** Processor time of this process. */
export async function ownCostOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

function threadsMsOf(pid: number | undefined): number {
  const times = readdirSync(`/proc/${pid}/task`).map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1_000_000
}
