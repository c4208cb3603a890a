import { join } from 'node:path'
import { openTempDir } from '../../support/temp-dir.ts'
import { initialize, openSession, prompt, startFloor, startOstler } from '../agents.ts'
import type { LineClient } from '../line-client.ts'
import { startChunkModel } from '../start-chunk-model.ts'
import { sendAtOnce } from './count-stream.ts'
import { probe } from './read-probe.ts'

const starts = 15
const sessions = 40
const prompts = 40
const streams = 15
export const chunksPerStream = 500

/** The processor time of an agent divided by that of something measured beside it. */
export interface StartRatios {
  readonly initialize: number
  readonly session: number
}

export interface WorkRatios {
  readonly session: number
  readonly prompt: number
  readonly stream: number
  /** V8's space for new objects at the end. */
  readonly newSpaceBytes: number
}

/** Compares the start with that of the floor agent, in turns. */
export async function compareStarts(): Promise<StartRatios> {
  await using folder = await openTempDir('ostler-gate-')
  const stateDir = join(folder.path, 'state')
  const floor: (readonly number[])[] = []
  const ostler: (readonly number[])[] = []
  for (let round = 0; round <= starts; round++) {
    const log = (name: string) => join(folder.path, `${name}-${round}.log`)
    const times = [
      await start(log('floor'), startFloor),
      await start(log('ostler'), (nodeArgs) => startOstler({ stateDir, nodeArgs })),
    ] as const
    // The first start fills the compile cache.
    if (round === 0) continue
    floor.push(times[0])
    ostler.push(times[1])
  }
  const ratio = (index: number) =>
    low(ostler.map((times) => times[index] ?? NaN)) / low(floor.map((times) => times[index] ?? NaN))
  return { initialize: ratio(0), session: ratio(1) }
}

/** Processor time until the answers of `initialize` and `session/new`. */
async function start(
  log: string,
  startAgent: (nodeArgs: readonly string[]) => LineClient,
): Promise<readonly number[]> {
  const { nodeArgs, read } = probe('cpu', log)
  await using client = startAgent(nodeArgs)
  await initialize(client)
  await openSession(client, '/')
  const [first = NaN, second = NaN] = read().map(({ cpuMs }) => cpuMs)
  return [first, first + second]
}

/** Compares what a running agent does with a fixed loop. The less of two agents, because chance only adds. */
export async function compareWork(): Promise<WorkRatios> {
  const [one, other] = [await compareOne(), await compareOne()]
  return {
    session: Math.min(one.session, other.session),
    prompt: Math.min(one.prompt, other.prompt),
    stream: Math.min(one.stream, other.stream),
    newSpaceBytes: Math.min(one.newSpaceBytes, other.newSpaceBytes),
  }
}

async function compareOne(): Promise<WorkRatios> {
  await using folder = await openTempDir('ostler-gate-')
  let chunks = 1
  await using model = await startChunkModel((send) => sendAtOnce(client, chunks, send))
  const { nodeArgs, read } = probe('cpu', join(folder.path, 'log'), 'loop')
  await using client = startOstler({ stateDir: join(folder.path, 'state'), model, nodeArgs })
  const ratioOf = async (count: number, ask: () => Promise<unknown>) => {
    for (let index = 0; index < count; index++) await ask()
    const rows = read().slice(-count)
    return low(rows.map(({ cpuMs }) => cpuMs)) / low(rows.map(({ loopMs }) => loopMs))
  }
  await initialize(client)
  const id = await openSession(client, folder.path)
  const session = await ratioOf(sessions, () => openSession(client, folder.path))
  const prompted = await ratioOf(prompts, () => prompt(client, id))
  chunks = chunksPerStream
  const stream = await ratioOf(streams, () => prompt(client, id))
  return { session, prompt: prompted, stream, newSpaceBytes: read().at(-1)?.newSpaceBytes ?? NaN }
}

/** Exceeded by nine values of ten: other programs, the compiler and the garbage collector only add to the time of a processor. */
function low(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 10)] ?? NaN
}
