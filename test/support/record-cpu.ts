import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'

/** The units in which the kernel counts the time of children. */
const ticksPerSecond = 100

/** Writes a line for each test file: the CPU seconds in all, of its worker, and of the ended children; the seconds it took; its path. */
const record = process.env['OSTLER_TEST_CPU']
const start = used()

afterAll(() => {
  const end = used()
  const [own, children, wall] = [end.own - start.own, end.children - start.children, end.wall - start.wall]
  const figures = [own + children, own, children, wall].map((seconds) => seconds.toFixed(2).padStart(8))
  if (record !== undefined)
    appendFileSync(
      record,
      `${figures.join('')}  ${relative(process.cwd(), expect.getState().testPath ?? '')}\n`,
    )
})

function used(): { readonly own: number; readonly children: number; readonly wall: number } {
  const { user, system } = process.cpuUsage()
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const children = (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
  return { own: (user + system) / 1e6, children, wall: performance.now() / 1_000 }
}
