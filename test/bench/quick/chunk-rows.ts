import { readFileSync } from 'node:fs'
import { openTempDir } from '../../support/temp-dir.ts'
import { initialize, openSession, prompt, startFloor, startOstler } from '../agents.ts'
import type { LineClient } from '../line-client.ts'
import { startChunkModel } from '../start-chunk-model.ts'
import { ms, type Row } from './row.ts'

const chunks = 20_000

interface Streamed {
  readonly takenMs: number
  readonly cpuMs: number
  readonly updates: number
  readonly longestGapMs: number
}

export async function measureChunks(): Promise<Row[]> {
  await using folder = await openTempDir('ostler-bench-')
  let answered = 1
  await using model = await startChunkModel((send) => {
    for (let index = 0; index < answered; index++) send(`word${index} `)
  })
  const floor = await stream(startFloor(), folder.path, () => {})
  const ostler = await stream(
    startOstler({ stateDir: folder.path, model }),
    folder.path,
    () => (answered = chunks),
  )
  const row = (what: string, figure: (streamed: Streamed) => string): Row => ({
    what,
    floor: figure(floor),
    ostler: figure(ostler),
  })
  return [
    row(`${chunks} chunks of text, per second`, ({ takenMs }) =>
      String(Math.round((1_000 * chunks) / takenMs)),
    ),
    row('processor time for them', ({ cpuMs }) => ms(cpuMs)),
    row('updates for them', ({ updates }) => String(updates)),
    row('the longest time between two updates', ({ longestGapMs }) => ms(longestGapMs)),
  ]
}

/** The second prompt of a session, because the first loads code. Throws if a chunk is lost. */
async function stream(agent: LineClient, cwd: string, begin: () => void): Promise<Streamed> {
  await using client = agent
  await initialize(client)
  const id = await openSession(client, cwd)
  await prompt(client, id)
  begin()
  let said = ''
  let [updates, last, longestGapMs] = [0, 0, 0]
  client.onUpdate = (update) => {
    const now = performance.now()
    if (updates++ > 0) longestGapMs = Math.max(longestGapMs, now - last)
    last = now
    if (update['sessionUpdate'] === 'agent_message_chunk')
      said += (update['content'] as { text: string }).text
  }
  const [started, usedMs] = [performance.now(), cpuMsOf(client)]
  await prompt(client, id, String(chunks))
  const takenMs = performance.now() - started
  if (said !== Array.from({ length: chunks }, (_, index) => `word${index} `).join(''))
    throw new Error('text was lost')
  return { takenMs, cpuMs: cpuMsOf(client) - usedMs, updates, longestGapMs }
}

/** In steps of ten milliseconds. Not known outside Linux. */
function cpuMsOf({ process: { pid } }: LineClient): number {
  if (process.platform !== 'linux') return NaN
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
