import { setTimeout as sleep } from 'node:timers/promises'
import { openTempDir } from '../../support/temp-dir.ts'
import { initialize, openSession, prompt, startFloor, startOstler } from '../agents.ts'
import type { LineClient } from '../line-client.ts'
import { median } from '../measure.ts'
import { pssOf } from '../process-cost.ts'
import type { Row } from './row.ts'
import { slowServers, startCallingModel } from './servers.ts'

const settleMs = 2_000
const rounds = 3
const furtherSessions = 10
const serversPerSession = 3

/** The memory of the agent's own process. Its servers are the same for every agent. */
export async function measureMemory(): Promise<Row[]> {
  if (process.platform !== 'linux') return []
  await using folder = await openTempDir('ostler-bench-')
  await using model = await startCallingModel()
  const [floor, one, further]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    floor.push((await use(startFloor(), 0)).one)
    const used = await use(startOstler({ stateDir: folder.path, model }), furtherSessions)
    one.push(used.one)
    further.push((used.all - used.one) / furtherSessions)
  }
  return [
    { what: 'memory of one session (PSS)', floor: mib(median(floor)), ostler: mib(median(one)) },
    { what: 'memory of each further session, with three servers', ostler: mib(median(further)) },
  ]

  async function use(agent: LineClient, sessions: number): Promise<{ one: number; all: number }> {
    await using client = agent
    await initialize(client)
    await prompt(client, await openSession(client, folder.path))
    await sleep(settleMs)
    const first = pssOf(client.process.pid)
    if (sessions === 0) return { one: first, all: first }
    for (let index = 0; index < sessions; index++)
      await openSession(client, folder.path, slowServers(serversPerSession, 0))
    await sleep(settleMs)
    return { one: first, all: pssOf(client.process.pid) }
  }
}

function mib(bytes: number): string {
  return `${(bytes / 1_024 ** 2).toFixed(1)} MiB`
}
