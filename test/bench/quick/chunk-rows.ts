import { openTempDir } from '../../support/temp-dir.ts'
import { initialize, openSession, prompt, startFloor, startOstler } from '../agents.ts'
import type { LineClient } from '../line-client.ts'
import { cpuMsOf } from '../process-cost.ts'
import { startChunkModel } from '../start-chunk-model.ts'
import { chunks, chunkTexts, streamChunks, type Streamed } from '../stream-chunks.ts'
import { ms, type Row } from './row.ts'

export async function measureChunks(): Promise<Row[]> {
  await using folder = await openTempDir('ostler-bench-')
  let answered = 1
  await using model = await startChunkModel((send) => {
    for (const text of chunkTexts.slice(0, answered)) send(text)
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

/** The second prompt of a session, because the first loads code. */
async function stream(agent: LineClient, cwd: string, begin: () => void): Promise<Streamed> {
  await using client = agent
  await initialize(client)
  const id = await openSession(client, cwd)
  await prompt(client, id)
  begin()
  return await streamChunks(client, id, String(chunks), () => cpuMsOf(client.process.pid))
}
