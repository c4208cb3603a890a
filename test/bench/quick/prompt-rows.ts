import { openTempDir } from '../../support/temp-dir.ts'
import { initialize, openSession, prompt, startFloor, startOstler } from '../agents.ts'
import { median, timed } from '../measure.ts'
import { ms, type Row } from './row.ts'
import { callPrompt, slowServers, startCallingModel } from './servers.ts'

const prompts = 100
/** A growing conversation would affect the result. */
const promptsPerSession = 20

export async function measurePrompts(): Promise<Row[]> {
  await using folder = await openTempDir('ostler-bench-')
  await using model = await startCallingModel()
  await using floor = startFloor()
  await using ostler = startOstler({ stateDir: folder.path, model })
  await initialize(floor)
  await initialize(ostler)
  const [floorTimes, plain, calling]: [number[], number[], number[]] = [[], [], []]
  let [one, other] = ['', '']
  for (let round = 0; round < prompts; round++) {
    if (round % promptsPerSession === 0) {
      one = await openSession(ostler, folder.path)
      other = await openSession(ostler, folder.path, slowServers(1, 0))
      await prompt(ostler, one)
      await prompt(ostler, other, callPrompt)
    }
    floorTimes.push(await timed(() => prompt(floor, '1')))
    plain.push(await timed(() => prompt(ostler, one)))
    calling.push(await timed(() => prompt(ostler, other, callPrompt)))
  }
  return [
    { what: 'a prompt until its end', floor: ms(median(floorTimes)), ostler: ms(median(plain)) },
    { what: 'a prompt with a call of a server and its question', ostler: ms(median(calling)) },
  ]
}
