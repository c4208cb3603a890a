import { OstlerError } from '../base/errors.ts'
import type { Connection, ConnectOptions } from './connection.ts'
import type { McpConnectPhases, McpPromptDefinition, McpToolDefinition } from './mcp-client.ts'
import { startServerProcess, type ServerProcess } from './server-process.ts'

/** A connection that stands, and what its server offers. */
export interface Established {
  readonly connection: Connection
  readonly tools: readonly McpToolDefinition[]
  readonly prompts: readonly McpPromptDefinition[]
  readonly warnings: readonly string[]
  readonly phases: McpConnectPhases
}

export interface EstablishOptions extends Omit<ConnectOptions, 'started' | 'onLost'> {
  readonly onLost: (connection: Connection, error: OstlerError) => void
}

/**
 * One attempt, over when the signal aborts; it settles when nothing is left of an attempt that failed. `onEstablished` is called in the very
 * moment in which the connection is known to stand: what is lost after that is told.
 */
export async function establishConnection(
  options: EstablishOptions,
  signal: AbortSignal,
  onEstablished: (established: Established) => void,
): Promise<Connection> {
  const begunAt = performance.now()
  // The server starts while the SDK is loaded, which takes about as long.
  const started = startEarly(options)
  const { connect } = await import('./connect.ts')
  const readyAt = performance.now()
  let made: Connection | undefined
  const onLost = (error: OstlerError) => made !== undefined && options.onLost(made, error)
  made = await connect({ ...options, started, onLost }, signal)
  const answeredAt = performance.now()
  try {
    const [toolList, promptList] = await Promise.all([
      made.listTools(signal),
      // Prompts are an extra: a server that fails to list them, or never does, is as good as one that has none.
      made
        .listPrompts(AbortSignal.any([signal, AbortSignal.timeout(options.timing.promptListMs)]))
        .catch(() => ({ items: [], warnings: ['the prompts could not be listed'] })),
    ])
    signal.throwIfAborted()
    if (made.lost !== undefined) throw made.lost
    onEstablished({
      connection: made,
      tools: toolList.items,
      prompts: promptList.items,
      warnings: [...toolList.warnings, ...promptList.warnings],
      phases: { startMs: readyAt - begunAt, handshakeMs: answeredAt - readyAt, discoveryMs: performance.now() - answeredAt },
    })
    return made
  } catch (error) {
    const lost = made.lost
    await made[Symbol.asyncDispose]()
    throw signal.aborted ? signal.reason : (lost ?? error)
  }
}

/** A command that cannot be started is explained where it is tried again. */
function startEarly({ config, host, logger, timing }: EstablishOptions): ServerProcess | undefined {
  try {
    return config.type === 'stdio' ? startServerProcess(config, config.cwd ?? host.cwd, logger, timing) : undefined
  } catch {
    return undefined
  }
}
