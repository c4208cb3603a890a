import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openTempDir } from '../../support/temp-dir.ts'
import { initialize, openSession, startFloor, startOstler } from '../agents.ts'
import type { LineClient } from '../line-client.ts'
import { compare, median, timed } from '../measure.ts'
import { ms, times, type Row } from './row.ts'

const starts = 15
const furtherSessions = 30

export async function measureStarts(): Promise<Row[]> {
  await using folder = await openTempDir('ostler-bench-')
  const stateDir = folder.path
  const open = async (client: LineClient) => (await initialize(client), openSession(client, folder.path))
  const start = async (agent: () => LineClient, reach: (client: LineClient) => Promise<unknown>) => {
    const started = performance.now()
    await using client = agent()
    await reach(client)
    return performance.now() - started
  }
  const ostler = () => startOstler({ stateDir })
  const taken = await compare(starts, {
    bare: () => timed(async () => once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')),
    floorInitialize: () => start(startFloor, initialize),
    floorSession: () => start(startFloor, open),
    initialize: () => start(ostler, initialize),
    session: () => start(ostler, open),
  })
  const further = async (agent: () => LineClient) => {
    await using client = agent()
    await open(client)
    const each: number[] = []
    for (let index = 0; index < furtherSessions; index++)
      each.push(await timed(() => openSession(client, folder.path)))
    return median(each)
  }
  const ofBare = (value: number) => `${ms(value)} (${times(value / taken.bare)} bare Node)`
  return [
    { what: 'bare `node -e 0`', floor: ms(taken.bare), ostler: '' },
    {
      what: 'start until `initialize` is answered',
      floor: ms(taken.floorInitialize),
      ostler: ofBare(taken.initialize),
    },
    {
      what: 'start until `session/new` is answered',
      floor: ms(taken.floorSession),
      ostler: ofBare(taken.session),
    },
    {
      what: 'a later `session/new`',
      floor: ms(await further(startFloor)),
      ostler: ms(await further(ostler)),
    },
  ]
}
