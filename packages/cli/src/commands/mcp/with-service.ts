import { constants } from 'node:os'
import { OstlerError } from '@ostler/agent-api'
import type { ServerService, ServerView } from '@ostler/agent-api/manage'
import type { Io } from '../../terminal/io.ts'
import { commandLogger } from '../../state/command-logger.ts'
import { agentFileOf, requireStateDir, type Places } from '../../state/places.ts'

/** Shorter than usual, because a person already has the answer and waits for the command to end. */
const timing = { inputClosedMs: 300 }

/** Provides the servers while the work runs. A signal cancels the work. Always ends every server that was started. */
export async function withService(
  io: Io,
  places: Places,
  work: (service: ServerService, signal: AbortSignal) => Promise<number | void>,
): Promise<number | void> {
  const stop = new AbortController()
  let stoppedBy: number | undefined
  const file = agentFileOf(io, places).path
  const stateDir = requireStateDir(io, places)
  const { openServerService } = await import('./open-service.ts')
  const service = await openServerService({
    env: io.env,
    cwd: io.cwd,
    stateDir,
    // The answer contains the reason why a server cannot be used, so a warning would repeat it.
    logger: { ...commandLogger(io), warn() {} },
    ...(file !== undefined && { file }),
    timing,
  })
  const listening = io.onEndSignal((signal) => {
    stoppedBy ??= 128 + constants.signals[signal]
    stop.abort(new OstlerError('command.cancelled', 'Cancelled.'))
  })
  try {
    const code = await work(service, stop.signal)
    return stoppedBy ?? code
  } catch (error) {
    if (stoppedBy === undefined) throw error
    io.stderr.write('ostler: cancelled\n')
    return stoppedBy
  } finally {
    await service[Symbol.asyncDispose]()
    listening[Symbol.dispose]()
  }
}

/** Finds a server that can be changed. If two have the same name, this is the stored one. */
export async function findStoredServer(service: ServerService, name: string): Promise<ServerView> {
  const servers = await service.listServers()
  const stored = servers.find((server) => server.origin === 'stored' && (server.name === name || server.id === name))
  return stored ?? service.getServer(name)
}
