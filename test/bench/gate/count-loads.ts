import { join } from 'node:path'
import { openTempDir } from '../../support/temp-dir.ts'
import { initialize, openSession, startOstler } from '../agents.ts'
import { probe, type Loads } from './read-probe.ts'

export interface LoadCounts {
  readonly untilInitialize: Loads
  readonly untilSession: Loads
  /** Until `session/new` with an MCP server that is not known yet. */
  readonly untilServer: Loads
}

/** It ends at once. */
const server = { name: 'server', command: process.execPath, args: ['-e', '0'], env: [] }

/** Counts what the built command loads for its first answers. The state directory exists, as in all starts but the very first. */
export async function countLoads(): Promise<LoadCounts> {
  await using folder = await openTempDir('ostler-gate-')
  await start(folder.path, 'first')
  const [untilInitialize, untilSession] = await start(folder.path, 'second')
  const [, untilServer] = await start(folder.path, 'third', [server])
  if (untilInitialize === undefined || untilSession === undefined || untilServer === undefined)
    throw new Error('nothing was counted')
  return { untilInitialize, untilSession, untilServer }
}

async function start(folder: string, name: string, mcpServers: readonly object[] = []): Promise<Loads[]> {
  const { nodeArgs, read } = probe('loads', join(folder, `${name}.log`))
  await using client = startOstler({ stateDir: join(folder, 'state'), nodeArgs })
  await initialize(client)
  await openSession(client, folder, mcpServers)
  return read()
}
