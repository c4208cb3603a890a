import type { Logger } from '../base/logger.ts'
import type { Redactor } from '../redaction/redact.ts'
import type { OwnPlaces } from '../fence/fence.ts'
import { createClientRequests } from './client-requests.ts'
import { createConnectionDriver } from './connection-driver.ts'
import { failureOf, isWithdrawn, toStatus, withRetryAttempts } from './connection-state.ts'
import type { DefinitionFilter, KnownServer } from './known-server.ts'
import type { McpClient, McpHost, McpServerIdentity } from './mcp-client.ts'
import type { Logins, ServerLogin } from './oauth/logins.ts'
import { createMachineLogin } from './oauth/machine-login.ts'
import { isMachineGrant } from './oauth/oauth-settings.ts'
import type { ProtocolLog } from './protocol-log.ts'
import { secretsOf } from './secrets-of.ts'
import { createServerLog, logLevelDefault, type ServerLog } from './server-log.ts'
import { createWatchedResources } from './watched-resources.ts'
import { isHttpServer, type McpServerConfig } from './server-config.ts'
import { toServerOrigin } from './server-origin.ts'
import { toTiming, type Timing } from '../base/timing.ts'

export interface OpenMcpClientOptions {
  readonly config: McpServerConfig
  readonly host: McpHost
  readonly logger: Logger
  readonly redactor: Redactor
  readonly timing?: Partial<Timing> | undefined
  /** The person's logins. Without them, a server that requires one fails. */
  readonly logins?: Logins | undefined
  /** The server's name for `ostler mcp login`. Defaults to the URL. */
  readonly loginName?: string | undefined
  /** The server as it was in an earlier process. Its tools are offered while it connects. */
  readonly known?: KnownServer | undefined
  /** Everything that the server says of itself passes it. Without one, all of it is offered. */
  readonly filter?: DefinitionFilter | undefined
  /** If true, the server starts only when it is used. Until then, `known` is offered. */
  readonly startsOnUse?: boolean | undefined
  /** A server that was unused for this time ends until it is used. By default, it stays. */
  readonly idleMs?: number | undefined
  /** Protected from a server in a fence. */
  readonly own?: OwnPlaces | undefined
  /** Keeps every message, also of attempts that fail. */
  readonly protocol?: ProtocolLog | undefined
  /** Continues the log of an earlier client of this server. */
  readonly log?: ServerLog | undefined
}

/** Opens clients with parts that they share, such as the redactor. */
export type ClientOpener = (
  options: Omit<OpenMcpClientOptions, 'logger' | 'redactor' | 'timing' | 'logins'>,
) => McpClient

const none: readonly never[] = []

/** Connects in the background, or when it is used, and stays connected if possible. The object stays the same throughout. */
export function openMcpClient(options: OpenMcpClientOptions): McpClient {
  const { config, logger, redactor, known, filter, idleMs = Infinity } = options
  const { name } = config
  // Done here, so that no caller can forget it.
  for (const secret of secretsOf(config)) redactor.add(secret)
  const timing = withRetryAttempts(toTiming(options.timing), config.retryAttempts)
  const lifetime = new AbortController()
  const log = options.log ?? createServerLog(redactor)
  const watched = createWatchedResources(name, logger)
  const driver = createConnectionDriver({
    ...options,
    login: loginOf(options),
    log,
    timing,
    lifetime,
    idleMs,
    isKept,
    onResourceChanged: watched.changed,
    onConnected: watched.connected,
  })
  const { link } = driver
  const stopFiltering = filter?.onChange(driver.tell)
  const requests = createClientRequests(driver, { name, logger, lifetime: lifetime.signal })

  /** A person follows its log, or a session its resources. */
  function isKept(): boolean {
    const subscribes = capabilities().includes('resources.subscribe')
    return log.level !== logLevelDefault || (subscribes && watched.list().length > 0)
  }

  function capabilities(): readonly string[] {
    return link.seen?.capabilities ?? none
  }

  /** The server at its last connection, without what may not be offered. */
  function seen(): KnownServer | undefined {
    const last = link.seen?.known
    return last && (filter?.offered(last) ?? last)
  }

  /** The server as it was, until the first attempt has ended, or a start on use has succeeded. */
  function anticipated(): KnownServer | undefined {
    const { state } = driver
    if (state.is === 'connected') return undefined
    if (state.startsOnUse) return seen() ?? known
    const isFirst = state.is === 'connecting' && state.failure === undefined
    return link.seen === undefined && isFirst ? known : undefined
  }

  function identity(): McpServerIdentity | undefined {
    return (driver.state.is === 'connected' ? seen() : anticipated())?.server
  }

  function offered(): Pick<KnownServer, 'tools' | 'prompts'> {
    return (
      (isWithdrawn(driver.state) ? undefined : (seen() ?? anticipated())) ?? {
        tools: none,
        prompts: none,
      }
    )
  }

  return {
    name,
    config,
    ...requests,
    async listResourceTemplates(options) {
      const listed = await requests.listResourceTemplates(options)
      const offered = filter?.templates(listed)
      // Sessions ask about those that are held.
      if (offered !== undefined && offered.length < listed.length) driver.tell()
      return offered ?? listed
    },
    get origin() {
      return toServerOrigin(config, redactor)
    },
    get settled() {
      return driver.settled
    },
    get status() {
      const status = toStatus(driver.state)
      // Again, because a secret may have become known since.
      return status.state === 'error' ? { ...status, reason: redactor.redact(status.reason) } : status
    },
    get tools() {
      return offered().tools
    },
    get prompts() {
      return offered().prompts
    },
    get seen() {
      return seen()
    },
    get isAnticipated() {
      return anticipated() !== undefined
    },
    get instructions() {
      return identity()?.instructions
    },
    get hasResources() {
      return identity()?.hasResources === true
    },
    watchResource: (uri) => watched.add(uri, link.connection),
    unwatchResource: (uri) => watched.remove(uri, link.connection),
    get watchedResources() {
      return watched.list()
    },
    onResourceChange: watched.onChange,
    get fence() {
      return driver.fence
    },
    get failure() {
      return failureOf(driver.state)
    },
    get phases() {
      return link.seen?.phases
    },
    get capabilities() {
      return capabilities()
    },
    serverLog: {
      get level() {
        return log.level
      },
      entries: log.entries,
      stderr: log.stderr,
      async setLevel(level, { signal }) {
        using _use = driver.hold()
        log.level = level
        await link.connection?.setLogLevel({ signal: AbortSignal.any([signal, lifetime.signal]) })
      },
    },
    wake: () => void driver.want('session'),
    reconnect: () => driver.want('person'),
    relist: link.relist,
    onChange: driver.onChange,
    [Symbol.asyncDispose]() {
      stopFiltering?.()
      return driver.end()
    },
  }
}

function loginOf({
  config,
  logger,
  redactor,
  logins,
  loginName,
}: OpenMcpClientOptions): ServerLogin | undefined {
  if (!isHttpServer(config)) return undefined
  const { oauth } = config
  return isMachineGrant(oauth)
    ? createMachineLogin({ config, grant: oauth, redactor, logger })
    : logins?.of(config, loginName)
}
