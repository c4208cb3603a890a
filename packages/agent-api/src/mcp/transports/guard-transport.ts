import type { JSONRPCMessage, JSONRPCNotification, Transport } from '@modelcontextprotocol/client'
import type { Logger } from '../../base/logger.ts'
import { latestEvery } from '../latest-every.ts'
import { carryRaw } from './carry-raw.ts'
import { LocalFailure, localFailure } from './local-failure.ts'
import { cancelledBy, type PendingRequests, type RequestId } from './pending-requests.ts'

export type ChangedList = 'tools' | 'prompts'

export interface GuardOptions {
  readonly server: string
  readonly pending: PendingRequests
  readonly logger: Logger
  readonly onListChanged: (list: ChangedList) => void
}

/** Requests of a server that it has not taken the answers of; more than this and the next are left lying. */
const unansweredMax = 64
/** The state a server hands us to bring back with the next round. */
const requestStateLengthMax = 1024 * 1024
const invalidParams = -32602
const progressEveryMs = 100

const changedLists: Readonly<Record<string, ChangedList>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/prompts/list_changed': 'prompts',
}

/** What the SDK has a use for; all else ends here, so that a flood of it costs next to nothing. */
const forwardedNotifications: ReadonlySet<string> = new Set([
  'notifications/progress',
  'notifications/cancelled',
  'notifications/subscriptions/acknowledged',
])

type Extra = Parameters<NonNullable<Transport['onmessage']>>[1]

/** A request on its way: its progress, and an end to its stream for when nobody waits for the answer any more. */
interface OpenRequest {
  readonly progress: ReturnType<typeof latestEvery<JSONRPCNotification>>
  readonly givenUp: AbortController
}

/**
 * Stands between a transport and the SDK: lets through only the answers that are owed, in a shape that the SDK accepts, fails
 * the requests whose answers got lost, and keeps floods out.
 */
export function guardTransport(inner: Transport, options: GuardOptions): Transport {
  const { pending, logger, server } = options
  const unanswered = new Set<RequestId>()
  const open = new Map<RequestId, OpenRequest>()
  let droppedCount = 0

  function receive(message: JSONRPCMessage, extra: Extra) {
    if (!('method' in message)) {
      if (message.id === undefined || !pending.has(message.id)) return drop('an answer that nobody waits for')
      const isOurs = 'error' in message && message.error.data instanceof LocalFailure
      const method = settle(message.id, isOurs) ?? ''
      guarded.onmessage?.('result' in message ? acceptable(message.id, method, message.result) : message, extra)
    } else if ('id' in message) {
      if (unanswered.size >= unansweredMax) return drop('a request, too many are open')
      unanswered.add(message.id)
      guarded.onmessage?.(message, extra)
    } else {
      receiveNotification(message, extra)
    }
  }

  function receiveNotification(message: JSONRPCNotification, extra: Extra) {
    const list = changedLists[message.method]
    if (list !== undefined) return options.onListChanged(list)
    const taken = cancelledBy(message)
    if (taken !== undefined) unanswered.delete(taken)
    if (!forwardedNotifications.has(message.method)) return drop(message.method)
    const token = message.params?.['progressToken']
    if (message.method !== 'notifications/progress') return guarded.onmessage?.(message, extra)
    const request = typeof token === 'number' ? open.get(token) : undefined
    if (request === undefined) return drop('progress of nothing')
    request.progress.next(message)
  }

  function settle(id: RequestId, isGivenUp: boolean): string | undefined {
    const request = open.get(id)
    request?.progress.stop()
    if (isGivenUp) request?.givenUp.abort()
    open.delete(id)
    return pending.settle(id)
  }

  function acceptable(id: RequestId, method: string, result: Readonly<Record<string, unknown>>): JSONRPCMessage {
    const state = result['requestState']
    if (typeof state === 'string' && state.length > requestStateLengthMax)
      return { jsonrpc: '2.0', id, error: { code: invalidParams, message: 'the server handed over a state that is too large' } }
    return { jsonrpc: '2.0', id, result: carryRaw(method, result) }
  }

  /** Logged at each power of two: a flood of messages must not become a flood of lines. */
  function drop(what: string) {
    droppedCount++
    if ((droppedCount & (droppedCount - 1)) === 0) logger.debug(`MCP server ${server}: dropped ${what}`, { count: droppedCount })
  }

  /** The stream of one request has ended; without the answer, nothing else will bring it. */
  function streamEnded(id: RequestId) {
    if (!pending.has(id)) return
    inner.onmessage?.(localFailure(id, 'mcp.connection_lost', 'connection lost; the tool may have run'))
  }

  const guarded: Transport = {
    get sessionId() {
      return inner.sessionId
    },
    async start() {
      inner.onmessage = (message, extra) => receive(message, extra)
      inner.onclose = () => guarded.onclose?.()
      inner.onerror = (error) => guarded.onerror?.(error)
      await inner.start()
    },
    async send(message, sendOptions) {
      pending.sent(message)
      const isRequest = 'method' in message && 'id' in message
      if (!isRequest) {
        const cancelled = cancelledBy(message)
        if (cancelled !== undefined) settle(cancelled, true)
        await inner.send(message, sendOptions)
        if ('id' in message && message.id !== undefined) unanswered.delete(message.id)
        return
      }
      const { id } = message
      const givenUp = new AbortController()
      // At this rate before the SDK sees them: a flood of progress would keep it busy.
      open.set(id, { givenUp, progress: latestEvery(progressEveryMs, (progress) => guarded.onmessage?.(progress)) })
      sendOptions?.requestSignal?.addEventListener('abort', () => settle(id, true), { once: true })
      try {
        await inner.send(message, {
          ...sendOptions,
          requestSignal: givenUp.signal,
          onRequestStreamEnd() {
            sendOptions?.onRequestStreamEnd?.()
            streamEnded(id)
          },
        })
      } catch (error) {
        settle(id, false)
        throw error
      }
    },
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    setSupportedProtocolVersions: (versions) => inner.setSupportedProtocolVersions?.(versions),
    ...(inner.hasPerRequestStream === true && { hasPerRequestStream: true }),
    // These two tell the SDK that it talks over a pipe.
    ...('stderr' in inner && 'pid' in inner && { stderr: null, pid: null }),
  }
  return guarded
}
