import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTempDir } from '../../support/temp-dir.ts'
import { initialize, openSession, prompt, startOstler } from '../agents.ts'
import type { LineClient } from '../line-client.ts'
import { startChunkModel, type SendChunks } from '../start-chunk-model.ts'
import { probe } from './read-probe.ts'

export interface StreamCounts {
  readonly statements: number
  readonly writes: number
  readonly updates: number
}

/** Their updates fit into the pipe to the client, even if it does not read. */
const chunks = 100

/** Counts for a prompt whose answer arrives in one piece. */
export function countBurst(): Promise<StreamCounts> {
  return countPrompt((client) => (send) => sendAtOnce(client, chunks, send))
}

/**
 * The agent stands still until all chunks wait in its socket, so that chance does not cut them into several reads. A read takes 64 KiB, which
 * is more than 500 chunks.
 */
export function sendAtOnce(client: LineClient, count: number, send: (text: string) => void): void {
  client.process.kill('SIGSTOP')
  for (let index = 0; index < count; index++) send(`word${index} `)
  void sleep(30).then(() => client.process.kill('SIGCONT'))
}

/** Counts for a prompt whose answer arrives slowly: the model sends each chunk after the previous one is shown. */
export function countAlone(): Promise<StreamCounts> {
  return countPrompt((client) => async (send) => {
    for (let index = 0; index < chunks; index++) {
      const shown = new Promise((resolve) => client.process.stdout?.once('data', resolve))
      send(`word${index} `)
      await shown
    }
  })
}

/** The second prompt of a session, because the first loads code. */
async function countPrompt(answerOf: (client: LineClient) => SendChunks): Promise<StreamCounts> {
  await using folder = await openTempDir('ostler-gate-')
  let answer: SendChunks = (send) => send('hello')
  await using model = await startChunkModel((send) => answer(send))
  const { nodeArgs, read } = probe('work', join(folder.path, 'log'))
  await using client = startOstler({ stateDir: join(folder.path, 'state'), model, nodeArgs })
  await initialize(client)
  const session = await openSession(client, folder.path)
  await prompt(client, session)
  const before = read().at(-1)
  let updates = 0
  client.onUpdate = () => updates++
  answer = answerOf(client)
  await prompt(client, session)
  const after = read().at(-1)
  if (before === undefined || after === undefined) throw new Error('an answer was not counted')
  return { statements: after.statements - before.statements, writes: after.writes - before.writes, updates }
}
