import { OstlerError } from '../base/errors.ts'
import type { Connection, ConnectOptions } from './connection.ts'
import type { ConnectPhases, McpPromptDefinition, McpToolDefinition } from './mcp-client.ts'
import { startServerProcess, type ServerProcess } from './server-process.ts'

/** An established connection with the server's tools and prompts. */
export interface Established {
  readonly connection: Connection
  readonly tools: readonly McpToolDefinition[]
  readonly prompts: readonly McpPromptDefinition[]
  readonly warnings: readonly string[]
  readonly phases: ConnectPhases
}

export interface EstablishOptions extends Omit<ConnectOptions, 'started' | 'onLost'> {
  readonly onLost: (connection: Connection, error: OstlerError) => void
}

/**
 * Makes one attempt, which the signal can abort. Settles once nothing is left of a failed attempt. Calls `onEstablished` at the moment of
 * success, so that a later loss is reported.
 */
export async function establishConnection(
  options: EstablishOptions,
  signal: AbortSignal,
  onEstablished: (established: Established) => void,
): Promise<Connection> {
  const begunAt = performance.now()
  // Start the server while the SDK loads, which takes about as long.
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
      // Prompts are optional: a server that fails to list them is treated as one without prompts.
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
      phases: {
        startMs: readyAt - begunAt,
        handshakeMs: answeredAt - readyAt,
        discoveryMs: performance.now() - answeredAt,
      },
    })
    return made
  } catch (error) {
    const lost = made.lost
    await made[Symbol.asyncDispose]()
    throw signal.aborted ? signal.reason : (lost ?? error)
  }
}

/** A command that fails to start is reported by the later attempt. */
function startEarly({ config, host, logger, timing }: EstablishOptions): ServerProcess | undefined {
  try {
    return config.type === 'stdio'
      ? startServerProcess(config, config.cwd ?? host.cwd, logger, timing)
      : undefined
  } catch {
    return undefined
  }
}
