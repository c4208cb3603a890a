import { OstlerError, type McpClient, type AgentServer } from '@ostler/agent-api'
import { orAborted, type ServerSet } from '@ostler/agent-api/internal'
import type { ConnectionStatus, ServerId, ServiceConnection } from '../server-service.ts'
import { disconnected, toConnectionStatus, toErrorStatus } from './connection-status.ts'
import { capabilitiesOf } from './server-capabilities.ts'

/** A server as it is to be connected. The revision of a stored one changes with every update. */
export interface CurrentServer {
  readonly server: AgentServer
  readonly revision: number
}

export interface StartOnUseOptions {
  readonly id: ServerId
  /** Its servers start on use. */
  readonly set: ServerSet<AgentServer>
  /** Throws `servers.unknown` if the server was removed, and if its secrets or variables cannot be read. */
  readonly current: () => Promise<CurrentServer>
  /** Throws `servers.unknown`. */
  readonly revision: () => number
  readonly onStatus: () => void
  /** The lifetime of the service: background work ends with it. */
  readonly lifetime: AbortSignal
}

export type ServerOnUse = ReturnType<typeof startOnUse>

/** The server as it was read for its first use. `member` is set once it is in the set. */
interface Held {
  readonly ready: Promise<ServiceConnection>
  member?: ServiceConnection
  revision?: number
}

/** A person's connection to one server, which is read and added to the set when it is first used. */
export function startOnUse(options: StartOnUseOptions) {
  const { id, set, lifetime } = options
  let held: Held | undefined
  /** Why the server could not be read. */
  let problem: ConnectionStatus | undefined
  let told = disconnected

  function status(): ConnectionStatus {
    if (held === undefined) return problem ?? disconnected
    return held.member === undefined ? { state: 'connecting' } : toConnectionStatus(held.member.client.status)
  }

  function tell(): void {
    const next = status()
    if (JSON.stringify(told) === JSON.stringify(next)) return
    told = next
    options.onStatus()
  }

  const wasConnected = () => held?.member?.client.seen !== undefined

  function hold(): Held {
    const made: Held = { ready: Promise.resolve().then(enter) }
    // The callers that wait get the error.
    made.ready.catch(() => {})
    held = made
    problem = undefined
    tell()
    return made

    async function enter(): Promise<ServiceConnection> {
      try {
        const { server, revision } = await options.current()
        if (held !== made) throw cancelled()
        made.revision = revision
        return (made.member = {
          server,
          client: set.add(server.config, server, id),
          admitted: () => set.admitted(id),
        })
      } catch (error) {
        if (held === made) {
          held = undefined
          problem = toErrorStatus(error)
          tell()
        }
        throw error
      }
    }
  }

  async function end(): Promise<void> {
    held = undefined
    problem = undefined
    // At once, so that the next connection finds its key free.
    if (set.clients.has(id)) await set.remove(id)
    tell()
  }

  function isOutdated(): boolean {
    const now = options.revision()
    return held?.member !== undefined && held.revision !== now
  }

  /** Returns the existing connection, or makes one. Throws `mcp.*` if that fails, and `mcp.cancelled`. */
  async function use(signal: AbortSignal): Promise<ServiceConnection> {
    lifetime.throwIfAborted()
    if (signal.aborted) throw cancelled()
    if (isOutdated()) await end()
    const entry = held ?? hold()
    const member = await orAborted(entry.ready, signal, undefined)
    if (member === undefined) {
      void entry.ready.then(tell, () => {})
      throw cancelled()
    }
    const { client } = member
    // A person who tries again wants more than the last error.
    if (client.status.state === 'error') void client.reconnect()
    await client.use({ signal }).catch((error: unknown) => {
      throw held === entry ? error : cancelled()
    })
    return member
  }

  return {
    get status() {
      return status()
    },
    /** Undefined until it was connected once. */
    get connected() {
      return wasConnected() ? held?.member : undefined
    },
    use,
    end,
    /** Connects again in the background, with the current configuration, if it was connected. */
    async renew(): Promise<void> {
      const isRenewed = wasConnected()
      await end()
      // A failure is reported by the status. Counts the resources again.
      if (isRenewed)
        void use(lifetime)
          .then((connection) => capabilitiesOf(connection, lifetime))
          .catch(() => undefined)
    },
    /** True if it is used with an older configuration. Throws `servers.unknown`. */
    isOutdated,
    /** Reports the status of the client, after news of it. */
    look(client: McpClient): void {
      if (held?.member?.client === client) tell()
    },
  }
}

function cancelled(): OstlerError {
  return new OstlerError('mcp.cancelled', 'cancelled')
}
