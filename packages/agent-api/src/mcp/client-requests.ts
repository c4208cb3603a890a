import type { ToolResult } from '../messages/tool.ts'
import { messageOf, OstlerError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { orAborted } from '../base/or-aborted.ts'
import { createSlots } from '../base/slots.ts'
import type { Connection } from './connection.ts'
import type { ConnectionDriver } from './connection-driver.ts'
import { isSameDefinition } from './known-server.ts'
import { followTask } from './follow-task.ts'
import type { McpClient, McpRequestOptions, McpToolDefinition } from './mcp-client.ts'
import type { McpTask } from './task.ts'

/** Only a last line of defence. The policy limits the calls of a tool, a server and an agent. */
const callsAtOnceMax = 64

/** The requests of a client. Each can be cancelled, and ends with the client at the latest. */
export function createClientRequests(
  { ready, hold, answered, link }: ConnectionDriver,
  {
    name: server,
    logger,
    lifetime,
  }: { readonly name: string; readonly logger: Logger; readonly lifetime: AbortSignal },
): Pick<
  McpClient,
  | 'use'
  | 'callTool'
  | 'getPrompt'
  | 'complete'
  | 'listResources'
  | 'listResourceTemplates'
  | 'readResource'
  | 'resend'
> {
  const calls = createSlots({ activeMax: callsAtOnceMax, of: `the server '${server}'` })

  async function use<T>(options: McpRequestOptions, action: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.any([options.signal, lifetime])
    using _use = hold()
    try {
      return await action(signal)
    } catch (error) {
      if (lifetime.aborted) throw disposedError()
      if (options.signal.aborted) throw new OstlerError('mcp.cancelled', 'cancelled', { cause: error })
      throw knownError(error, server, logger)
    }
  }

  /** A server that has lost its session did not take the request. It is sent again in a new session, once. */
  async function onConnection<T>(
    signal: AbortSignal,
    request: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const connection = await ready(signal)
    try {
      return await request(connection)
    } catch (error) {
      if (!(error instanceof OstlerError) || error.code !== 'mcp.session_lost') throw error
      return request(await ready(signal))
    }
  }

  function ask<T>(
    options: McpRequestOptions,
    request: (connection: Connection, how: McpRequestOptions) => Promise<T>,
  ): Promise<T> {
    return use(options, (signal) => onConnection(signal, (connection) => request(connection, { signal })))
  }

  return {
    use: (options) => use(options, async (signal) => void (await ready(signal))),
    callTool: (name, args, options) =>
      use(options, async (signal) => {
        // Acquired before the connection, so that requests waiting for a server are also limited.
        const release = await calls.acquire(signal)
        try {
          const { definition } = options
          const answer = await onConnection(signal, (connection): Promise<McpTask | ToolResult> => {
            if (definition !== undefined) checkUnchanged(definition, link.seen?.known.tools ?? [])
            return connection[definition?.runsAsTask === true ? 'startTask' : 'callTool'](name, args, {
              ...options,
              signal,
            })
          })
          const result =
            'state' in answer ? await followTask(answer, { ...options, signal, ready, lifetime }) : answer
          answered()
          // The call may have changed the tools. The model's next step must have the new ones.
          await orAborted(link.caughtUp(), signal, undefined)
          return result
        } finally {
          release()
        }
      }),
    getPrompt: (name, args, options) =>
      ask(options, (connection, how) => connection.getPrompt(name, args, how)),
    complete: (request, options) => ask(options, (connection, how) => connection.complete(request, how)),
    listResources: (options) => ask(options, (connection, how) => connection.listResources(how)),
    listResourceTemplates: (options) =>
      ask(options, (connection, how) => connection.listResourceTemplates(how)),
    resend: (method, params, options) =>
      ask(options, (connection, how) => connection.request(method, params, how)),
    readResource: (uri, options) => ask(options, (connection, how) => connection.readResource(uri, how)),
  }
}

/** A call was allowed for one definition of its tool. It must not run another one. */
function checkUnchanged(definition: McpToolDefinition, tools: readonly McpToolDefinition[]): void {
  const now = tools.find(({ name }) => name === definition.name)
  if (now === undefined)
    throw new OstlerError('mcp.tool_gone', 'the server no longer offers this tool; nothing was run')
  if (!isSameDefinition(definition, now))
    throw new OstlerError(
      'mcp.tool_changed',
      'the server has changed this tool in the meantime; nothing was run. Read its new description and call it again',
    )
}

/** Any error that is not ours is a mistake in the program. Its text goes only to the log. */
export function knownError(error: unknown, server: string, logger: Logger): OstlerError {
  if (error instanceof OstlerError) return error
  logger.error(`MCP server ${server}: unexpected error`, { error: messageOf(error) })
  return new OstlerError('mcp.failed', 'unexpected error', { cause: error })
}

export function disposedError(): OstlerError {
  return new OstlerError('mcp.disposed', 'the connection has been closed')
}

/** For a call the first line is enough. The status contains the server's output. */
export function unavailable(error: OstlerError): OstlerError {
  const [summary = ''] = error.message.split('\n')
  return new OstlerError(error.code, `the server is not available: ${summary}`, {
    data: { ...error.data },
    cause: error,
  })
}
