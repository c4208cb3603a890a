import { OstlerError } from '../base/errors.ts'
import { createWarnOnce } from '../base/warn-once.ts'
import type { Logger } from '../base/logger.ts'
import type { McpClient, McpHost } from '../mcp/mcp-client.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import { checkAgentServers, type AgentServer } from '../policy/agent-server.ts'
import { nameCollisions } from '../policy/name-collisions.ts'
import { createToolAccess, type ToolAccess } from '../policy/tool-access.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'
import { unusedEntries } from '../policy/unused-entries.ts'
import type { Redactor } from '../redaction/redact.ts'
import { openServerGroup, type ServerGroup } from './server-group.ts'
import { toServerOrigin } from './server-origin.ts'

export interface AgentServers {
  readonly group: ServerGroup
  readonly access: ToolAccess
  /**
   * Settles when the servers that may keep the agent from starting, the required and the strict ones, have connected or failed once.
   * Rejects with the reason as soon as one of them does keep it; after that nothing does.
   */
  readonly checked: Promise<void>
  /** Settles when all have connected or failed once. Rejects as `checked` does. */
  readonly started: Promise<void>
  /** By name; those that were added later, too. */
  readonly policies: ReadonlyMap<string, AgentServer>
  /** Servers that cannot even be tried, and why. */
  readonly rejected: readonly RejectedServer[]
  /** The servers that come and go while the agent runs. None of them keeps it from starting. */
  readonly more: MoreServers
}

export interface RejectedServer {
  readonly server: string
  readonly reason: string
}

/** An agent's further servers, besides those it was made with. */
export interface MoreServers {
  /** Starts it, for all sessions. `onConnected` is called each time that it has. Throws `mcp.duplicate_server` when the agent has one of this name. */
  add(server: AgentServer, onConnected?: () => void): void
  /** Ends it, or forgets that it was rejected. Settles when its process is gone. Nothing happens to one that the agent was made with. */
  remove(name: string): Promise<void>
  /** Says in every session why one is not there. */
  reject(name: string, reason: string): void
  /** Prompts wait for what is announced as they wait for servers that connect. */
  announce(servers: Promise<unknown>): void
}

export interface AgentServersOptions {
  readonly servers: readonly AgentServer[]
  readonly configured: readonly ConfiguredTool[]
  readonly openClient: (config: McpServerConfig, host: McpHost) => McpClient
  readonly logger: Logger
  readonly redactor: Redactor
  /** Names besides those of the servers here that `configured` may speak of. */
  readonly known?: KnownNames
}

export interface KnownNames {
  readonly servers: readonly string[]
  /** Unset where sessions may bring any tool. */
  readonly tools: readonly string[] | undefined
}

/** The agent's own servers: all start at once, and their tools pass the agent file's rules before anyone sees them. */
export function openAgentServers({ servers, configured, openClient, logger, redactor, known }: AgentServersOptions): AgentServers {
  // They belong to no session, so there is no directory to show them and nobody they could ask.
  const host: McpHost = { cwd: process.cwd(), roots: [] }
  const policies = new Map(servers.map((server) => [server.server.name, server]))
  const added = new Set<string>()
  const rejected = new Map<string, string>()
  const check = Promise.withResolvers<void>()
  let isChecked = false
  const warnOfCollision = createWarnOnce(logger)
  let hasSettled = false
  const originOf = (client: McpClient) => toServerOrigin(client.config, redactor)
  const access = createToolAccess({
    policyOf: (server) => policies.get(server) ?? { mode: 'strict' },
    configured,
    originOf,
    logger,
    onViolation(messages, server) {
      if (!added.has(server)) check.reject(new OstlerError('agent.strict_violation', messages.join('\n\n')))
      // A server that comes late finds the agent running: its tools stay out, and that is said.
      if (isChecked || added.has(server)) for (const message of messages) logger.warn(`${message.split('\n')[0]} It is left out.`)
    },
  })
  const group = openServerGroup(
    (config) => openClient(config, host),
    servers.map(({ server }) => server),
  )
  const look = () => {
    for (const client of group.clients.values()) {
      access.refresh(client)
      if (policies.get(client.name)?.required === true && client.status.state === 'error')
        check.reject(unreachable(client, originOf(client), client.status.reason))
    }
    if (hasSettled) tellCollisions()
  }
  group.onChange(look)
  const isDecisive = ({ mode, required }: AgentServer) => mode === 'strict' || required === true
  const decisive = [...group.clients.values()].filter(({ name }) => servers.some((each) => each.server.name === name && isDecisive(each)))
  void Promise.all(decisive.map((client) => client.settled)).then(() => {
    look()
    isChecked = true
    check.resolve()
  })
  const started = check.promise
    .then(() => group.settled())
    .then(() => {
      look()
      hasSettled = true
      tellCollisions()
      // Stored servers are announced after the agent was made.
      void group.settled().then(tellUnused)
    })
  // Whoever waits for the start gets the error; nobody has to.
  for (const promise of [check.promise, started]) promise.catch(() => {})
  return {
    group,
    access,
    checked: check.promise,
    started,
    policies,
    get rejected() {
      return [...rejected].map(([server, reason]) => ({ server, reason }))
    },
    more: {
      add(server, onConnected) {
        const { name } = server.server
        if (policies.has(name)) throw new OstlerError('mcp.duplicate_server', `There is already a server named '${name}'.`)
        checkAgentServers([server])
        policies.set(name, { ...server, required: false })
        added.add(name)
        rejected.delete(name)
        try {
          group.add(server.server)
        } catch (error) {
          forget(name)
          throw error
        }
        if (onConnected !== undefined) tellConnected(group.clients.get(name), onConnected)
      },
      async remove(name) {
        rejected.delete(name)
        if (!added.has(name)) return
        const ended = group.remove(name)
        forget(name)
        await ended
      },
      reject(name, reason) {
        if (policies.has(name)) return
        rejected.set(name, reason)
        logger.warn(`MCP server ${name}: ${reason}`)
      },
      announce: (coming) => group.announce(coming),
    },
  }

  function forget(name: string): void {
    policies.delete(name)
    added.delete(name)
    access.forget(name)
  }

  function tellCollisions(): void {
    const offers = new Map([...group.clients.keys()].map((name) => [name, access.admitted(name).keys()]))
    for (const { message } of nameCollisions(offers)) warnOfCollision(message)
  }

  function tellUnused(): void {
    const clients = [...group.clients.values()]
    if (clients.some(({ status }) => status.state === 'disconnected')) return
    const offered = clients.flatMap(({ tools }) => tools.map(({ name }) => name))
    const down = clients.filter(({ status }) => status.state !== 'connected').map(({ name }) => name)
    const unused = unusedEntries({
      configured,
      servers: [...policies.keys(), ...rejected.keys(), ...(known?.servers ?? [])],
      offered: clients.length > 0 && known?.tools ? [...offered, ...known.tools] : undefined,
    })
    for (const { message } of unused) logger.warn(down.length === 0 ? message : `${message} (not connected: ${down.join(', ')})`)
  }
}

function tellConnected(client: McpClient | undefined, onConnected: () => void): void {
  let before = client?.status.state
  client?.onChange(() => {
    const { state } = client.status
    if (state === 'connected' && before !== state) onConnected()
    before = state
  })
}

function unreachable(client: McpClient, origin: string, reason: string): OstlerError {
  return new OstlerError(
    'agent.server_required',
    `Failed to connect to MCP server '${client.name}' at ${origin}\nError: ${reason}\n\nThe application cannot start without connecting to all configured MCP servers.`,
  )
}
