import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { chunksPerStream, compareStarts, compareWork } from './compare-cpu.ts'
import { countCall } from './count-call.ts'
import { countIdle, longer, type IdleCounts } from './count-idle.ts'
import { countLoads } from './count-loads.ts'
import { countAlone, countBurst, type StreamCounts } from './count-stream.ts'
import { compareFigures, isRed, toHeld, toTable, type Figure, type HeldFigures } from './figures.ts'
import type { Loads } from './read-probe.ts'

const file = join(import.meta.dirname, 'figures.json')
const writeCommand = 'pnpm bench --gate --write'
/** Collecting garbage leaves a little more or less. */
const heapTolerance = 0.02
/** It grows in pages. */
const newSpaceTolerance = 0.25
const idleSessions = 10

interface HeldFile {
  /** Counts depend on the version of Node. */
  readonly node: string
  readonly figures: HeldFigures
}

/**
 * Compares what the built command costs with the figures that are held in a file. Sets the exit code if one has risen, or writes them all.
 */
export async function runGate({ write }: { readonly write: boolean }): Promise<void> {
  if (process.platform !== 'linux') throw new Error('The gate reads /proc, so it needs Linux.')
  const old = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as HeldFile) : undefined
  if (!write && old?.node !== process.version)
    throw new Error(
      `The figures are those of Node ${old?.node}, and this is ${process.version}. \`${writeCommand}\` writes them anew.`,
    )
  const compared = compareFigures(await measure(), old?.figures ?? {})
  console.log(toTable(compared))
  if (write) {
    writeFileSync(
      file,
      `${JSON.stringify({ node: process.version, figures: toHeld(compared) } satisfies HeldFile, undefined, 2)}\n`,
    )
    console.log(`\nWritten to ${relative(process.cwd(), file)}.`)
    return
  }
  const red = compared.filter(({ verdict }) => verdict !== 'same' && verdict !== 'lower')
  const details = new Set(red.flatMap(({ detail }) => detail ?? []))
  for (const detail of details) console.log(`\n${detail}`)
  if (red.length > 0)
    console.log(
      `\nNOT MET: ${red.map(({ name }) => name).join('; ')}.\nLoad, write or wake less, or later. If the cost is worth it, run \`${writeCommand}\`, and say in the commit what it buys.`,
    )
  else if (compared.some(({ verdict }) => verdict === 'lower'))
    console.log(`\nSome figures fell. \`${writeCommand}\` holds them where they are now.`)
  if (isRed(compared)) process.exitCode = 1
}

async function measure(): Promise<Figure[]> {
  // They take longest, and mostly wait. Chance only adds, so the less of two counts.
  const idle = Promise.all([1, 1, idleSessions, idleSessions].map(countIdle))
  idle.catch(() => undefined)
  const loads = await countLoads()
  const [burst, alone, call] = [await countBurst(), await countAlone(), await countCall()]
  const [start, work] = [await compareStarts(), await compareWork()]
  const [one, oneAgain, ten, tenAgain] = await idle
  return [
    ...loadFigures('initialize', loads.untilInitialize),
    ...loadFigures('session/new', loads.untilSession),
    ...loadFigures('session/new with a new server', loads.untilServer),
    ...streamFigures('100 chunks that come at once', burst),
    ...streamFigures('100 chunks that come one by one', alone),
    { name: 'a prompt with a call and its question: SQLite statements', value: call.statements },
    { name: 'a prompt with a call and its question: writes', value: call.writes },
    ...idleFigures(least(one, oneAgain), least(ten, tenAgain)),
    ratio('processor time until initialize / of the floor agent', start.initialize, 0.2),
    ratio('processor time until session/new / of the floor agent', start.session, 0.2),
    ratio('processor time of a further session / of a fixed loop', work.session, 0.8),
    ratio('processor time of a prompt / of a fixed loop', work.prompt, 0.6),
    ratio(`processor time of ${chunksPerStream} chunks / of a fixed loop`, work.stream, 0.35),
    {
      name: 'after many prompts: kB of space for new objects',
      value: toKb(work.newSpaceBytes),
      tolerance: newSpaceTolerance,
    },
  ]
}

function loadFigures(moment: string, { files, builtins }: Loads): Figure[] {
  const sizes = Object.entries(files).toSorted(([, one], [, other]) => other - one)
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0)
  const detail = `Until ${moment}: ${sizes.map(([name, size]) => `${name} ${(size / 1_000).toFixed(1)} kB`).join(', ')}`
  return [
    { name: `until ${moment} is answered: files`, value: sizes.length, detail },
    { name: `until ${moment} is answered: kB`, value: Math.round(bytes / 1_000), detail },
    {
      name: `until ${moment} is answered: modules of Node`,
      value: builtins.length,
      detail: `Until ${moment}, of Node: ${builtins.join(', ')}`,
    },
  ]
}

function ratio(name: string, value: number, tolerance: number): Figure {
  return { name, value: Number(value.toFixed(2)), tolerance }
}

function streamFigures(what: string, { statements, writes, updates }: StreamCounts): Figure[] {
  return [
    { name: `${what}: SQLite statements`, value: statements },
    { name: `${what}: writes`, value: writes },
    { name: `${what}: updates`, value: updates },
  ]
}

function idleFigures(one: IdleCounts, many: IdleCounts): Figure[] {
  const further = idleSessions - 1
  const perSession = (of: (counts: IdleCounts) => number) => (of(many) - of(one)) / further
  const detail = `Idle: timers of ${many.timersMs.join(', ')} ms`
  return [
    { name: 'idle, ten sessions: processes', value: many.processes },
    { name: 'idle, ten sessions: timers', value: many.timersMs.length, detail },
    {
      name: 'idle, ten sessions: timers per session',
      value: perSession(({ timersMs }) => timersMs.length),
      detail,
    },
    { name: 'idle, ten sessions: wake-ups in 10 s', value: many.wakes, tolerance: 0.1, detail },
    { name: 'idle, one session: kB of heap', value: toKb(one.heapBytes), tolerance: heapTolerance },
    {
      name: 'idle, each further session: kB of heap',
      value: toKb(perSession(({ heapBytes }) => heapBytes)),
      tolerance: 2 * heapTolerance,
    },
  ]
}

function toKb(bytes: number): number {
  return Math.round(bytes / 1_000)
}

/** Chance adds to all but the timers. */
function least(one: IdleCounts | undefined, other: IdleCounts | undefined): IdleCounts {
  if (one === undefined || other === undefined) throw new Error('nothing was counted')
  return {
    processes: Math.min(one.processes, other.processes),
    timersMs: longer(one.timersMs, other.timersMs),
    wakes: Math.min(one.wakes, other.wakes),
    heapBytes: Math.min(one.heapBytes, other.heapBytes),
  }
}
