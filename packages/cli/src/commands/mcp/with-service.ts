import { constants } from 'node:os'
import { OstlerError } from '@ostler/agent-api'
import type { ServerList, ServerService, ServerView } from '@ostler/workbench'
import type { Io } from '../../terminal/io.ts'
import { commandLogger } from '../../state/command-logger.ts'
import { agentFileOf, requireStateDir, type Places } from '../../state/places.ts'

/** Shorter than usual, because a person already has the answer and waits for the command to end. */
const timing = { inputClosedMs: 300 }

/** Provides the servers while the work runs, to be listed and changed. */
export function withServers(
  io: Io,
  places: Places,
  work: (servers: ServerList, signal: AbortSignal) => Promise<number | void>,
): Promise<number | void> {
  return untilSignal(io, async (signal) => {
    const options = optionsOf(io, places)
    const { openListedServers } = await import('./open-servers.ts')
    using servers = await openListedServers(options)
    return await work(servers, signal)
  })
}

/** Provides the servers while the work runs, to be connected. Always ends every server that was started. */
export function withService(
  io: Io,
  places: Places,
  work: (service: ServerService, signal: AbortSignal) => Promise<number | void>,
): Promise<number | void> {
  return untilSignal(io, async (signal) => {
    const options = optionsOf(io, places)
    const { openServerService } = await import('./open-service.ts')
    await using service = await openServerService({ ...options, cwd: io.cwd, timing })
    return await work(service, signal)
  })
}

function optionsOf(io: Io, places: Places) {
  return {
    file: agentFileOf(io, places).path,
    stateDir: requireStateDir(io, places),
    env: io.env,
    // The answer contains the reason why a server cannot be used, so a warning would repeat it.
    logger: { ...commandLogger(io), warn() {} },
  }
}

/** A signal cancels the work. */
async function untilSignal(
  io: Io,
  work: (signal: AbortSignal) => Promise<number | void>,
): Promise<number | void> {
  const stop = new AbortController()
  let stoppedBy: number | undefined
  using _listening = io.onEndSignal((signal) => {
    stoppedBy ??= 128 + constants.signals[signal]
    stop.abort(new OstlerError('command.cancelled', 'Cancelled.'))
  })
  try {
    const code = await work(stop.signal)
    return stoppedBy ?? code
  } catch (error) {
    if (stoppedBy === undefined) throw error
    io.stderr.write('ostler: cancelled\n')
    return stoppedBy
  }
}

/** Finds a server that can be changed. If two have the same name, this is the stored one. */
export async function findStoredServer(servers: ServerList, name: string): Promise<ServerView> {
  const stored = (await servers.listServers()).find(
    (server) => server.origin === 'stored' && (server.name === name || server.id === name),
  )
  return stored ?? servers.getServer(name)
}
