import { messageOf, OstlerError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { createSlots } from '../base/slots.ts'
import type { Connection } from './connection.ts'
import type { McpClient, McpRequestOptions } from './mcp-client.ts'

export interface ClientRequestOptions {
  /** Of the server, for errors and the log. */
  readonly name: string
  readonly logger: Logger
  /** Of the client: no request outlives it. */
  readonly lifetime: AbortSignal
  /** The connection, made anew where it was lost. */
  readonly ready: (signal: AbortSignal) => Promise<Connection>
  readonly onAnswered: () => void
}

/** Only the last line of defence: what a tool, a server and an agent may do at once is the policy's to say. */
const callsAtOnceMax = 64

/** The requests of a client. Each can be cancelled, and is over at the latest when the client is. */
export function createClientRequests({
  name: server,
  logger,
  lifetime,
  ready,
  onAnswered,
}: ClientRequestOptions): Pick<McpClient, 'callTool' | 'getPrompt' | 'listResources' | 'readResource'> {
  const calls = createSlots({ activeMax: callsAtOnceMax, of: `the server '${server}'` })

  async function use<T>(options: McpRequestOptions, action: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.any([options.signal, lifetime])
    try {
      return await action(signal)
    } catch (error) {
      if (lifetime.aborted) throw disposedError()
      if (options.signal.aborted) throw new OstlerError('mcp.cancelled', 'cancelled', { cause: error })
      throw knownError(error, server, logger)
    }
  }

  return {
    callTool: (name, args, options) =>
      use(options, async (signal) => {
        // Before the connection, so that what waits for a server that is away is bounded too.
        const release = await calls.acquire(signal)
        try {
          const result = await (await ready(signal)).callTool(name, args, { ...options, signal })
          onAnswered()
          return result
        } finally {
          release()
        }
      }),
    getPrompt: (name, args, options) => use(options, async (signal) => (await ready(signal)).getPrompt(name, args, { signal })),
    listResources: (options) => use(options, async (signal) => (await ready(signal)).listResources({ signal })),
    readResource: (uri, options) => use(options, async (signal) => (await ready(signal)).readResource(uri, { signal })),
  }
}

/** Any error that is not ours is a mistake in the program: its text is for the log only. */
export function knownError(error: unknown, server: string, logger: Logger): OstlerError {
  if (error instanceof OstlerError) return error
  logger.error(`MCP server ${server}: unexpected error`, { error: messageOf(error) })
  return new OstlerError('mcp.failed', 'unexpected error', { cause: error })
}

export function disposedError(): OstlerError {
  return new OstlerError('mcp.disposed', 'the connection has been closed')
}

/** For a call, the first line says enough; what the server printed is in the status. */
export function unavailable(error: OstlerError): OstlerError {
  const [summary = ''] = error.message.split('\n')
  return new OstlerError(error.code, `the server is not available: ${summary}`, { data: { ...error.data }, cause: error })
}
