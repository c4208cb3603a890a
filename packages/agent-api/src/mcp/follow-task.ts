import type { ToolResult } from '../messages/tool.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { OstlerError } from '../base/errors.ts'
import type { Connection } from './connection.ts'
import type { McpCallOptions } from './mcp-client.ts'
import type { McpTask } from './task.ts'

interface FollowTaskOptions extends Pick<McpCallOptions, 'signal' | 'onProgress'> {
  readonly ready: (signal: AbortSignal) => Promise<Connection>
  /** The client's lifetime, during which an abandoned task can still be cancelled. */
  readonly lifetime: AbortSignal
}

const taskMsMax = 60 * 60_000
const cancelMsMax = 5_000
const attemptsMax = 10
const attemptPauseMs = 500

const stateWords: Readonly<Record<McpTask['state'], string>> = {
  working: 'working',
  asking: 'waiting for an answer',
  ended: 'ended',
}

const lostErrors: ReadonlySet<string> = new Set([
  'mcp.connection_lost',
  'mcp.server_stopped',
  'mcp.session_lost',
  'mcp.unreachable',
])

/**
 * Asks for a task until it has ended, also over a new connection, and returns its result. Cancels an
 * abandoned task.
 */
export async function followTask(
  begun: McpTask,
  { signal: outer, onProgress, ready, lifetime }: FollowTaskOptions,
): Promise<ToolResult> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(tooLong()), taskMsMax).unref()
  const signal = AbortSignal.any([outer, late.signal])
  let polls = 0
  const tell = ({ state, message }: McpTask) => {
    const text = `Task ${stateWords[state]}${message === undefined ? '' : `: ${message}`}`
    onProgress?.({ progress: polls++, message: text })
  }
  try {
    let task = begun
    for (
      ;
      task.state === 'working';
      task = await overConnections((connection) => connection.getTask(begun.id, { signal }))
    ) {
      tell(task)
      await sleep(task.pollMs, undefined, { signal })
    }
    tell(task)
    return await overConnections((connection) => connection.taskResult(begun.id, { signal }))
  } catch (error) {
    if (signal.aborted) void cancel()
    throw late.signal.aborted ? late.signal.reason : error
  } finally {
    clearTimeout(timer)
  }

  async function overConnections<T>(request: (connection: Connection) => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await request(await ready(signal))
      } catch (error) {
        const isLost = error instanceof OstlerError && lostErrors.has(error.code)
        if (!isLost || attempts >= attemptsMax || signal.aborted) throw error
        await sleep(attemptPauseMs * attempts, undefined, { signal })
      }
    }
  }

  /** Runs in the background: no one waits for it, and a server that fails to cancel still ends the task at some point. */
  async function cancel(): Promise<void> {
    const stop = AbortSignal.any([lifetime, AbortSignal.timeout(cancelMsMax)])
    await ready(stop)
      .then((connection) => connection.cancelTask(begun.id, { signal: stop }))
      .catch(() => undefined)
  }
}

function tooLong(): OstlerError {
  return new OstlerError('mcp.call_timeout', `timed out after ${taskMsMax / 60_000} min`)
}
