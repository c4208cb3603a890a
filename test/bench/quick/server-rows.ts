import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoopbackModel } from '../../support/loopback-model/index.ts'
import { openTempDir } from '../../support/temp-dir.ts'
import { median } from '../measure.ts'
import { ms, type Row } from './row.ts'
import { callPrompt, firstPrompt, promptAmongStrangers, slowServers, startCallingModel } from './servers.ts'

const rounds = 3
const knownRounds = 7
const waitMs = 300

export async function measureServers(): Promise<Row[]> {
  await using model = await startCallingModel()
  const five = slowServers(5, waitMs)
  const [opened, one, called]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    one.push((await promptAmongStrangers(model, slowServers(1, waitMs))).prompted)
    const among = await promptAmongStrangers(model, five, { known: slowServers(1, waitMs), text: callPrompt })
    opened.push((await promptAmongStrangers(model, five)).opened)
    called.push(among.prompted)
  }
  const hanging = await promptBesideHanging(model)
  return [
    { what: `\`session/new\` with five unknown servers of ${waitMs} ms`, ostler: ms(median(opened)) },
    { what: `the first prompt with one unknown server of ${waitMs} ms`, ostler: ms(median(one)) },
    { what: 'the first prompt with five, one of them known, which is called', ostler: ms(median(called)) },
    { what: 'what five known servers add to the first prompt', ostler: ms(await addedByKnown(model)) },
    { what: '`session/new` beside an unknown server that hangs', ostler: ms(hanging.opened) },
    { what: 'its first prompt', ostler: ms(hanging.prompted) },
  ]
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

async function promptBesideHanging(model: LoopbackModel) {
  await using folder = await openTempDir('ostler-bench-')
  const gate = join(folder.path, 'gate')
  await writeFile(gate, '')
  const taken = await promptAmongStrangers(model, slowServers(1, 0, gate))
  await rm(gate)
  return taken
}
