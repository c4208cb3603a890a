import { constants } from 'node:os'
import { OstlerError } from '@ostler/agent-api'
import type { Server, ServerList, ServerService, ServerView, ServiceConnection } from '@ostler/workbench'
import { agentFlag, jsonFlag, stateDirFlag, type Flags } from '../../command-line/command.ts'
import { commandLogger } from '../../state/command-logger.ts'
import { agentFileOf, requireStateDir, type Places } from '../../state/places.ts'
import { toShown, toShownLine } from '../../terminal/safe-text.ts'
import type { Io } from '../../terminal/io.ts'
import { showProgress } from '../../terminal/show-progress.ts'

export const placeFlags = {
  agent: agentFlag(
    'The agent file whose servers are also included (default: OSTLER_AGENT, then your own ostler.yaml)',
  ),
  'state-dir': stateDirFlag,
} as const satisfies Flags

export const serverFlags = { json: jsonFlag, ...placeFlags } as const satisfies Flags

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

export type ServerUser<T> = (
  connection: ServiceConnection,
  at: {
    readonly server: Server
    readonly signal: AbortSignal
    /** Says on a terminal what happens now. */
    readonly say: (step: string) => void
  },
) => T | Promise<T>

/** Connects a server by its name and uses it, showing progress on a terminal. Then passes on what was found. */
export function withServer<T>(
  io: Io,
  places: Places,
  name: string,
  use: ServerUser<T>,
  finish: (found: T) => number | void | Promise<void>,
): Promise<number | void> {
  return withService(io, places, async (service, signal) => {
    const { id, name: shown } = await service.getServer(name)
    const server = service.server(id)
    let step = `Connecting to ${shown}`
    const line = showProgress(io.stderr, () => toShownLine(step).slice(0, (io.stderr.columns ?? 80) - 1))
    let found: T
    try {
      found = await use(await server.use({ signal }), { server, signal, say: (text) => (step = text) })
    } catch (error) {
      throw withName(error, shown)
    } finally {
      line[Symbol.dispose]()
    }
    return finish(found)
  })
}

/** Adds the server's name, because a script may use many servers. */
export function withName(error: unknown, server: string): unknown {
  const isNameless =
    error instanceof OstlerError && error.code.startsWith('mcp.') && !error.message.includes(`'${server}'`)
  if (!isNameless) return error
  const { code, message, data } = error
  return new OstlerError(code, toShown(`${server}: ${message}`), { data, cause: error })
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
