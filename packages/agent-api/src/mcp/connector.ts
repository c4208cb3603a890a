import { OstlerError } from '../base/errors.ts'
import { nextTurn } from '../base/in-slices.ts'
import { orAborted } from '../base/or-aborted.ts'
import { isSandboxed, type Fence } from '../fence/fence.ts'
import { describeFence, type FenceReport } from '../messages/fence-report.ts'
import type { Connection, ConnectOptions, ProtocolEra } from './connection.ts'
import type { DefinitionFilter } from './known-server.ts'
import type { McpServerConfig } from './server-config.ts'
import type { ConnectPhases, McpPromptDefinition, McpToolDefinition } from './mcp-client.ts'
import { withLastWords } from './server-text.ts'
import { startServerProcess, type ServerProcess } from './server-process.ts'

export interface Established {
  readonly connection: Connection
  readonly tools: readonly McpToolDefinition[]
  readonly prompts: readonly McpPromptDefinition[]
  readonly warnings: readonly string[]
  readonly phases: ConnectPhases
}

export interface ConnectorOptions extends Omit<ConnectOptions, 'started' | 'era' | 'fence' | 'onLost'> {
  readonly filter?: DefinitionFilter | undefined
  /** Called at the moment of success, so that a later loss is reported. */
  readonly onEstablished: (established: Established) => void
  readonly onLost: (connection: Connection, error: OstlerError) => void
}

const connectTimeoutDefaultMs = 30_000

let starts = Promise.resolve()

/**
 * Starting a process takes some milliseconds, so each start has its own turn of the event loop. The next one
 * lines up only afterwards. Otherwise, other work would wait for all servers that start at once.
 */
function turnToStart(): Promise<void> {
  starts = starts.then(nextTurn)
  return starts
}

/** Each connection waits until the previous one has ended completely, so that two servers never compete for a lock file. */
export function createConnector(options: ConnectorOptions) {
  const { config } = options
  let leavings: Promise<unknown> = Promise.resolve()
  let fence: Fence | undefined

  /**
   * On timeout, throws at once, even if the server takes longer to end. On abort, throws after the server has
   * ended.
   */
  async function connect(era: ProtocolEra | undefined, signal: AbortSignal): Promise<void> {
    const { refusal } = options.host
    if (refusal !== undefined) throw new OstlerError('mcp.refused', refusal)
    await leavings
    const prepared = await orAborted(prepare(), signal, config)
    fence = await orAborted(openFenceAround(prepared), signal, undefined)
    if (config.type === 'stdio') await turnToStart()
    signal.throwIfAborted()
    await establishInTime(prepared, era, signal)
  }

  async function prepare(): Promise<McpServerConfig> {
    const { prepareStart } = options.host
    return config.type === 'stdio' && prepareStart !== undefined ? prepareStart(config) : config
  }

  /** A server that belongs to no session may write in the working directory of its configuration. */
  async function openFenceAround(prepared: McpServerConfig): Promise<Fence | undefined> {
    if (prepared.type !== 'stdio') return undefined
    const { sandbox } = prepared
    if (!isSandboxed(sandbox)) return undefined
    const { openFence } = await import('../fence/open-fence.ts')
    const { roots, askHost } = options.host
    const writable = roots.length > 0 ? roots : config.type === 'stdio' && config.cwd ? [config.cwd] : []
    return openFence(sandbox, {
      writable,
      ...options.own,
      askHost: askHost && ((host, signal) => askHost({ server: config, host }, signal)),
    })
  }

  async function establishInTime(
    prepared: McpServerConfig,
    era: ProtocolEra | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const timeoutMs = config.connectTimeoutMs ?? connectTimeoutDefaultMs
    const clock = new AbortController()
    const begunAt = new Date().toISOString()
    const timer = setTimeout(() => {
      const lines = options.log.stderr().filter(({ at }) => at >= begunAt)
      const line = `did not answer within ${timeoutMs / 1_000} s`
      clock.abort(withLastWords('mcp.connect_timeout', line, lines, options.redactor))
    }, timeoutMs)
    const making = establish(
      { ...options, config: prepared, fence },
      era,
      AbortSignal.any([signal, clock.signal]),
    )
    leavings = making.catch(() => {})
    try {
      await orAborted(making, clock.signal, undefined)
      clock.signal.throwIfAborted()
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    connect,
    /** Of the last start. Undefined if the configuration has no sandbox. */
    get fence(): FenceReport | undefined {
      return fence?.report
    },
    /** Rejects with the reason why a start would fail. Starts nothing. */
    async check(): Promise<void> {
      await nextTurn()
      const { checkServer } = await import('./check-server.ts')
      const prepared = await prepare()
      await openFenceAround(prepared)
      await checkServer(prepared, options.host.cwd)
    },
    end(connection: Connection | undefined): void {
      leavings = Promise.all([leavings, connection?.[Symbol.asyncDispose]()])
    },
    /** Settles when all connections so far have ended completely. */
    ended: async () => void (await leavings),
  }
}

/**
 * Makes one attempt, which the signal can abort. Settles once nothing is left of a failed attempt.
 */
async function establish(
  options: ConnectorOptions & Pick<ConnectOptions, 'fence'>,
  era: ProtocolEra | undefined,
  signal: AbortSignal,
): Promise<void> {
  const begunAt = performance.now()
  // Start the server while the SDK loads, which takes about as long.
  const started = startEarly(options)
  const [{ connect }] = await Promise.all([import('./connect.ts'), options.filter?.load()])
  const readyAt = performance.now()
  let made: Connection | undefined
  const onLost = (error: OstlerError) => made !== undefined && options.onLost(made, error)
  made = await connect({ ...options, era, started, onLost }, signal)
  const answeredAt = performance.now()
  try {
    const [toolList, promptList] = await Promise.all([
      made.listTools(signal),
      // Prompts are optional: a server that fails to list them is treated as one without prompts.
      made
        .listPrompts(AbortSignal.any([signal, AbortSignal.timeout(options.timing.promptListMs)]))
        .catch(() => ({ items: [], warnings: ['the prompts could not be listed'] })),
    ])
    signal.throwIfAborted()
    if (made.lost !== undefined) throw made.lost
    const report = options.fence?.report
    options.onEstablished({
      connection: made,
      tools: toolList.items,
      prompts: promptList.items,
      warnings: [
        ...(report?.by === 'nothing' ? [`it runs ${describeFence(report)}`] : []),
        ...toolList.warnings,
        ...promptList.warnings,
      ],
      phases: {
        startMs: readyAt - begunAt,
        handshakeMs: answeredAt - readyAt,
        discoveryMs: performance.now() - answeredAt,
      },
    })
  } catch (error) {
    const lost = made.lost
    await made[Symbol.asyncDispose]()
    throw signal.aborted ? signal.reason : (lost ?? error)
  }
}

/** A command that fails to start is reported by the later attempt. */
function startEarly({
  config,
  host,
  logger,
  timing,
  fence,
}: Parameters<typeof establish>[0]): ServerProcess | undefined {
  try {
    return config.type === 'stdio'
      ? startServerProcess(config, config.cwd ?? host.cwd, logger, timing, fence)
      : undefined
  } catch {
    return undefined
  }
}
