import { OstlerError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { McpClient, McpHost } from '../mcp/mcp-client.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import type { AgentServer } from '../policy/agent-server.ts'
import { nameCollisions } from '../policy/registration.ts'
import { createToolAccess, type ToolAccess } from '../policy/tool-access.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'
import type { Redactor } from '../secrets/redact.ts'
import { openServerGroup, type ServerGroup } from './server-group.ts'
import { toServerOrigin } from './server-origin.ts'

export interface AgentServers {
  readonly group: ServerGroup
  readonly access: ToolAccess
  /** Rejects with what keeps the agent from starting, as soon as that is known. */
  readonly started: Promise<void>
}

export interface AgentServersOptions {
  readonly servers: readonly AgentServer[]
  readonly configured: readonly ConfiguredTool[]
  readonly openClient: (config: McpServerConfig, host: McpHost) => McpClient
  readonly logger: Logger
  readonly redactor: Redactor
}

/** The agent's own servers: all start at once, and their tools pass the agent file's rules before anyone sees them. */
export function openAgentServers({ servers, configured, openClient, logger, redactor }: AgentServersOptions): AgentServers {
  // They belong to no session, so there is no directory to show them and nobody they could ask.
  const host: McpHost = { cwd: process.cwd(), roots: [] }
  const policies = new Map(servers.map((server) => [server.server.name, server]))
  const start = Promise.withResolvers<void>()
  let isStarted = false
  const originOf = (client: McpClient) => redactor.redact(toServerOrigin(client.config))
  const access = createToolAccess({
    policyOf: (server) => policies.get(server) ?? { mode: 'strict' },
    configured,
    originOf,
    logger,
    onViolation(messages) {
      start.reject(new OstlerError('agent.strict_violation', messages.join('\n\n')))
      // A server that comes late finds the agent running: its tools stay out, and that is said.
      if (isStarted) for (const message of messages) logger.warn(`${message.split('\n')[0]} It is left out.`)
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
        start.reject(unreachable(client, originOf(client), client.status.reason))
    }
  }
  group.onChange(look)
  void group.settled().then(() => {
    look()
    warnAboutNames()
    isStarted = true
    start.resolve()
  })
  // Whoever waits for the start gets the error; nobody has to.
  start.promise.catch(() => {})
  return { group, access, started: start.promise }

  function warnAboutNames(): void {
    const offers = new Map([...group.clients.values()].map((client) => [client.name, client.tools.map(({ name }) => name)]))
    for (const { level, message } of nameCollisions(offers)) logger[level](message)
    for (const { name, server } of configured) {
      const isOffered = [...offers.values()].some((names) => names.includes(name))
      if (server === undefined && servers.length > 0 && !isOffered)
        logger.info(`Tool '${name}' is configured in toolbox.tools but no MCP server of the agent offers it`)
      if (server !== undefined && !offers.has(server))
        logger.info(`Tool '${name}' is configured for the server '${server}', which the agent does not have`)
    }
  }
}

function unreachable(client: McpClient, origin: string, reason: string): OstlerError {
  return new OstlerError(
    'agent.server_required',
    `Failed to connect to MCP server '${client.name}' at ${origin}\nError: ${reason}\n\nThe application cannot start without connecting to all configured MCP servers.`,
  )
}
