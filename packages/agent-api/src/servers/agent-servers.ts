import { OstlerError } from '../base/errors.ts'
import { createWarnOnce, type Logger } from '../base/logger.ts'
import type { McpClient, McpHost } from '../mcp/mcp-client.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import { type AgentServer, checkAgentServers, isDecisive } from '../policy/agent-server.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'
import { nameCollisions } from './name-collisions.ts'
import { openServerSet, type ServerSet } from './server-set.ts'
import type { AskedSession } from './shared-questions.ts'
import { missingPrompts, unusedEntries } from './unused-entries.ts'

export interface AgentServers {
  readonly set: ServerSet<AgentServer>
  readonly added: AddedServersOfAgent
  /**
   * Settles when every required or strict server has connected or failed once. Rejects as soon as one of them prevents the agent's start.
   * Servers that are added later never do.
   */
  readonly checked: Promise<void>
  /** Settles when all servers have connected or failed once. Rejects as `checked` does. */
  readonly started: Promise<void>
}

export interface AgentServersOptions {
  readonly servers: readonly AgentServer[]
  readonly cwd: string
  readonly configured: readonly ConfiguredTool[]
  readonly openClient: (config: McpServerConfig, host: McpHost, server: AgentServer) => McpClient
  /** Answers the servers. Without it, they can ask nothing. */
  readonly questions?: AskedSession
  readonly logger: Logger
  /** Names that `configured` may refer to, besides those of the servers here. */
  readonly known?: KnownNames
}

interface KnownNames {
  readonly servers: readonly string[]
  /** Undefined if sessions may bring any tool. */
  readonly tools: readonly string[] | undefined
}

/** The agent's own servers: all start at once, and their tools pass the rules of the agent file before anyone sees them. */
export function openAgentServers(options: AgentServersOptions): AgentServers {
  const { servers, cwd, configured, openClient, questions = {}, logger, known } = options
  // They belong to no session, so there is no directory to offer.
  const host: McpHost = {
    cwd,
    roots: [],
    ...questions,
    get elicitModes() {
      return questions.elicitModes ?? []
    },
  }
  const check = Promise.withResolvers<void>()
  const warnOfCollision = createWarnOnce(logger)
  let isChecked = false
  let hasSettled = false

  const set = openServerSet<AgentServer>({
    open: (config, server) => openClient(config, host, server),
    configured,
    logger,
    onViolation({ sentences, message }, server) {
      if (!added.has(server)) check.reject(new OstlerError('agent.strict_violation', message))
      // The agent is already running. Tools of a late server are left out, with a warning in the log.
      if (isChecked || added.has(server))
        for (const sentence of sentences) logger.warn(`${sentence} It is left out.`)
    },
  })
  const added = createAddedServers(set, logger)
  for (const server of servers) set.add(server.config, server)
  set.onChange(({ key, client }) => {
    if (set.policies.get(key)?.required === true && client.status.state === 'error')
      check.reject(unreachable(client, client.status.reason))
    if (hasSettled && client.status.state === 'connected') warnOfCollisions()
  })

  const decisive = servers.filter(isDecisive).flatMap(({ config }) => set.clients.get(config.name) ?? [])
  void Promise.all(decisive.map((client) => client.settled)).then(() => {
    isChecked = true
    check.resolve()
  })
  const started = check.promise
    .then(() => set.settled())
    .then(() => {
      hasSettled = true
      warnOfCollisions()
      // Stored servers are announced after the agent was created.
      void set.settled().then(warnOfUnused)
    })
  // Callers that wait for the start get the error. Without any, it must not be an unhandled rejection.
  for (const promise of [check.promise, started]) promise.catch(() => {})

  function warnOfCollisions(): void {
    const offers = new Map([...set.clients.keys()].map((name) => [name, set.admitted(name).keys()]))
    for (const { message } of nameCollisions(offers)) warnOfCollision(message)
  }

  function warnOfUnused(): void {
    const clients = [...set.clients.values()]
    if (clients.some(({ status }) => status.state === 'disconnected')) return
    const offered = clients.flatMap(({ tools }) => tools.map(({ name }) => name))
    const down = clients.filter(({ status }) => status.state !== 'connected').map(({ name }) => name)
    const unused = unusedEntries({
      configured,
      down,
      servers: [
        ...set.clients.keys(),
        ...added.rejected.map(({ server }) => server),
        ...(known?.servers ?? []),
      ],
      offered: clients.length > 0 && known?.tools ? [...offered, ...known.tools] : undefined,
    })
    for (const { name, status, prompts } of clients) {
      const policy = set.policies.get(name)
      const names = prompts.map((prompt) => prompt.name)
      if (policy !== undefined && status.state === 'connected')
        missingPrompts(policy, names).forEach((message) => logger.warn(message))
    }
    for (const { message } of unused) logger.warn(message)
  }

  return { set, added, checked: check.promise, started }
}

export function unreachableText(name: string, origin: string, reason: string): string {
  return `Failed to connect to MCP server '${name}' at ${origin}\nError: ${reason}`
}

function unreachable({ name, origin }: McpClient, reason: string): OstlerError {
  const consequence = 'The application cannot start without connecting to all configured MCP servers.'
  return new OstlerError(
    'agent.server_required',
    `${unreachableText(name, origin, reason)}\n\n${consequence}`,
  )
}

interface RejectedServer {
  readonly server: string
  readonly reason: string
}

/** Servers that are added to a running agent. None of them prevents its start. */
export interface AddedServers {
  /**
   * Starts a server for all sessions. `onConnected` is called for each new connection. Throws `mcp.duplicate_server` if the agent has a
   * server of this name.
   */
  add(server: AgentServer, onConnected?: () => void): void
  /** Ends an added server, or forgets that it was rejected. Settles when its process is gone. Other servers stay. */
  remove(name: string): Promise<void>
  /** Records why this server is missing. Every session shows it. */
  reject(name: string, reason: string): void
  /** Prompts wait for announced servers as they wait for servers that connect. */
  announce(servers: Promise<unknown>): void
}

interface AddedServersOfAgent extends AddedServers {
  has(name: string): boolean
  readonly rejected: readonly RejectedServer[]
}

function createAddedServers(set: ServerSet<AgentServer>, logger: Logger): AddedServersOfAgent {
  const added = new Map<string, (() => void) | undefined>()
  const rejected = new Map<string, string>()
  set.onChange(({ key, what }) => {
    if (what === 'connected') added.get(key)?.()
  })
  return {
    has: (name) => added.has(name),
    get rejected() {
      return [...rejected].map(([server, reason]) => ({ server, reason }))
    },
    add(server, onConnected) {
      const { name } = server.config
      checkAgentServers([server])
      if (!set.clients.has(name)) rejected.delete(name)
      set.add(server.config, { ...server, required: false })
      added.set(name, onConnected)
    },
    async remove(name) {
      rejected.delete(name)
      if (added.delete(name)) await set.remove(name)
    },
    reject(name, reason) {
      if (set.clients.has(name)) return
      rejected.set(name, reason)
      logger.warn(`MCP server ${name}: ${reason}`, { server: name })
    },
    announce: (servers) => set.announce(servers),
  }
}
