import { join } from 'node:path'
import { openTempDir } from '../../support/temp-dir.ts'
import { initialize, openSession, prompt, startOstler } from '../agents.ts'
import { callPrompt, slowServers, startCallingModel } from '../quick/servers.ts'
import { probe } from './read-probe.ts'

export interface CallCounts {
  readonly statements: number
  readonly writes: number
}

/** Counts for a prompt whose answer calls the tool of a session's server, after a question. The second one, because the first loads code. */
export async function countCall(): Promise<CallCounts> {
  await using folder = await openTempDir('ostler-gate-')
  await using model = await startCallingModel()
  const { nodeArgs, read } = probe('work', join(folder.path, 'log'))
  await using client = startOstler({ stateDir: join(folder.path, 'state'), model, nodeArgs })
  await initialize(client)
  const session = await openSession(client, folder.path, slowServers(1, 0))
  await prompt(client, session, callPrompt)
  const before = read().at(-1)
  await prompt(client, session, callPrompt)
  const after = read().at(-1)
  if (before === undefined || after === undefined) throw new Error('a call was not counted')
  return { statements: after.statements - before.statements, writes: after.writes - before.writes }
}
