import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoopbackModel } from '../../support/loopback-model/index.ts'
import { openTempDir } from '../../support/temp-dir.ts'
import { initialize, openSession, startOstler } from '../agents.ts'
import { median, timed } from '../measure.ts'
import { ms, type Row } from './row.ts'
import { callPrompt, firstPrompt, newServers, slowServers, startCallingModel } from './servers.ts'

const rounds = 3
const knownRounds = 7
const waitMs = 300

/** In a state directory that has been used before, unless a row says otherwise: Node's compile cache is there. */
export async function measureServers(): Promise<Row[]> {
  await using model = await startCallingModel()
  await using state = await openTempDir('ostler-bench-')
  const known = slowServers(1, waitMs)
  await firstPrompt(model, state.path, known)
  const [first, opened, one, called]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let round = 0; round < rounds; round++) {
    await using unused = await openTempDir('ostler-bench-')
    first.push((await firstPrompt(model, unused.path, newServers(5, waitMs))).opened)
    opened.push((await firstPrompt(model, state.path, newServers(5, waitMs))).opened)
    one.push((await firstPrompt(model, state.path, newServers(1, waitMs))).prompted)
    const five = [...known, ...newServers(5, waitMs).slice(1)]
    called.push((await firstPrompt(model, state.path, five, callPrompt)).prompted)
  }
  const hanging = await promptBesideHanging(model, state.path)
  return [
    { what: `\`session/new\` with five unknown servers of ${waitMs} ms`, ostler: ms(median(opened)) },
    { what: 'the same when Ostler has never run before', ostler: ms(median(first)) },
    { what: 'the same in an agent that has opened a session', ostler: ms(await openedLater(state.path)) },
    { what: `the first prompt with one unknown server of ${waitMs} ms`, ostler: ms(median(one)) },
    { what: 'the first prompt with five, one of them known, which is called', ostler: ms(median(called)) },
    { what: 'what five known servers add to the first prompt', ostler: ms(await addedByKnown(model)) },
    { what: '`session/new` beside an unknown server that hangs', ostler: ms(hanging.opened) },
    { what: 'its first prompt', ostler: ms(hanging.prompted) },
  ]
}

async function openedLater(stateDir: string): Promise<number> {
  await using client = startOstler({ stateDir })
  await initialize(client)
  await openSession(client, stateDir)
  const taken: number[] = []
  for (let round = 0; round < rounds; round++) {
    let sessionId = ''
    taken.push(
      await timed(async () => (sessionId = await openSession(client, stateDir, newServers(5, waitMs)))),
    )
    await client.request('session/close', { sessionId })
  }
  return median(taken)
}

async function addedByKnown(model: LoopbackModel): Promise<number> {
  await using state = await openTempDir('ostler-bench-')
  const known = slowServers(5, waitMs)
  await firstPrompt(model, state.path, known)
  const [none, five]: [number[], number[]] = [[], []]
  for (let round = 0; round < knownRounds; round++) {
    none.push(await total([]))
    five.push(await total(known))
  }
  return median(five) - median(none)

  async function total(servers: readonly object[]): Promise<number> {
    const { opened, prompted } = await firstPrompt(model, state.path, servers)
    return opened + prompted
  }
}

async function promptBesideHanging(model: LoopbackModel, stateDir: string) {
  const gate = join(stateDir, 'gate')
  await writeFile(gate, '')
  const taken = await firstPrompt(model, stateDir, newServers(1, 0, gate))
  await rm(gate)
  return taken
}
