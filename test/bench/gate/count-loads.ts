import { join } from 'node:path'
import { openTempDir } from '../../support/temp-dir.ts'
import { initialize, openSession, startOstler } from '../agents.ts'
import { probe, type Loads } from './read-probe.ts'

export interface LoadCounts {
  readonly untilInitialize: Loads
  readonly untilSession: Loads
}

/** Counts what the built command loads for its first answers. The state directory exists, as in all starts but the very first. */
export async function countLoads(): Promise<LoadCounts> {
  await using folder = await openTempDir('ostler-gate-')
  await start(folder.path, 'first')
  const [untilInitialize, untilSession] = await start(folder.path, 'second')
  if (untilInitialize === undefined || untilSession === undefined) throw new Error('nothing was counted')
  return { untilInitialize, untilSession }
}

async function start(folder: string, name: string): Promise<Loads[]> {
  const { nodeArgs, read } = probe('loads', join(folder, `${name}.log`))
  await using client = startOstler({ stateDir: join(folder, 'state'), nodeArgs })
  await initialize(client)
  await openSession(client, folder)
  return read()
}
