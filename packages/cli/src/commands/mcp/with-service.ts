import { constants } from 'node:os'
import { locateAgentFile, openServerService, OstlerError, type ServerService, type ServerView } from '@ostler/agent-api'
import { commandLogger, requireStateDir } from '../../state/open-state.ts'

export interface Places {
  readonly agent?: string | undefined
  readonly 'state-dir'?: string | undefined
}

/** A person waits for the end of the command, and has the answer already. */
const timing = { inputClosedMs: 300 }

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Lends the servers. A signal cancels what is under way; whatever happens, every server that was started is ended. */
export async function withService(
  { agent, 'state-dir': stateDir }: Places,
  work: (service: ServerService, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const stop = new AbortController()
  let stoppedBy: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    stoppedBy ??= 128 + constants.signals[signal]
    stop.abort(new OstlerError('command.cancelled', 'Cancelled.'))
  }
  const file = locateAgentFile(agent, process.env).path
  const service = await openServerService({
    env: process.env,
    stateDir: requireStateDir(stateDir, process.env),
    // Why a server cannot be used is in the answer; a warning would say it twice.
    logger: { ...commandLogger, warn() {} },
    ...(file !== undefined && { file }),
    timing,
  })
  for (const signal of endSignals) process.on(signal, onSignal)
  try {
    const code = await work(service, stop.signal)
    return stoppedBy ?? code
  } catch (error) {
    if (stoppedBy === undefined) throw error
    process.stderr.write('ostler: cancelled\n')
    return stoppedBy
  } finally {
    await service[Symbol.asyncDispose]()
    for (const signal of endSignals) process.off(signal, onSignal)
  }
}

/** One that can be changed. Of two with one name it is the stored one. */
export async function findStoredServer(service: ServerService, name: string): Promise<ServerView> {
  const servers = await service.listServers()
  const stored = servers.find((server) => server.origin === 'stored' && (server.name === name || server.id === name))
  return stored ?? service.getServer(name)
}
