import type { JSONRPCMessage, JSONRPCNotification, Transport } from '@modelcontextprotocol/client'
import type { Logger } from '../../base/logger.ts'
import { latestEvery } from '../latest-every.ts'
import { carryRaw } from './carry-raw.ts'
import { LocalFailure, localFailure } from './local-failure.ts'
import { cancelledBy, type PendingRequests, type RequestId } from './pending-requests.ts'

type ChangedList = 'tools' | 'prompts'

interface GuardOptions {
  readonly server: string
  readonly pending: PendingRequests
  readonly logger: Logger
  readonly onListChanged: (list: ChangedList) => void
  /** Gets the parameters of each message that the server logs. */
  readonly onLog: (params: unknown) => void
  readonly onResourceChanged: (uri: string) => void
  /** True for a question that cannot be asked. It is declined here. */
  readonly declines: (params: unknown) => boolean
  /** Gets the id of each finished elicitation. */
  readonly onElicited: (elicitationId: string) => void
  /** Gets every message as it is on the wire. */
  readonly onMessage?: ((from: 'client' | 'server', message: unknown) => void) | undefined
}

/** Maximum number of a server's requests without an answer. Further requests are dropped. */
const unansweredMax = 64
/** Limit on the state that a server asks us to send back with the next round. */
const requestStateLengthMax = 1024 * 1024
const invalidParams = -32602
const progressEveryMs = 100

const changedLists: Readonly<Record<string, ChangedList>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/prompts/list_changed': 'prompts',
}

/** Notifications that the SDK uses. All others are dropped here, so that a flood of them costs little. */
const forwardedNotifications: ReadonlySet<string> = new Set([
  'notifications/progress',
  'notifications/cancelled',
  'notifications/subscriptions/acknowledged',
])

type Extra = Parameters<NonNullable<Transport['onmessage']>>[1]

/** A pending request: its progress, and a controller that ends its stream once the request is given up. */
interface OpenRequest {
  readonly progress: ReturnType<typeof latestEvery<JSONRPCNotification>>
  readonly givenUp: AbortController
}

/**
 * Guards the SDK against a server's messages. Passes only expected answers, in a form that the SDK accepts. Fails requests whose answers
 * were lost, and limits floods.
 */
export function guardTransport(inner: Transport, options: GuardOptions): Transport {
  const { pending, logger, server } = options
  const unanswered = new Set<RequestId>()
  const open = new Map<RequestId, OpenRequest>()
  let droppedCount = 0

  function receive(message: JSONRPCMessage, extra: Extra) {
    const isOurs = 'error' in message && message.error.data instanceof LocalFailure
    if (!isOurs) options.onMessage?.('server', message)
    if (!('method' in message)) {
      if (message.id === undefined || !pending.has(message.id)) return drop('an unexpected response')
      const method = settle(message.id, isOurs) ?? ''
      guarded.onmessage?.('result' in message ? acceptable(message.id, method, message.result) : message, extra)
    } else if ('id' in message) {
      if (unanswered.size >= unansweredMax) return drop('a request; too many are open')
      if (message.method === 'elicitation/create' && options.declines(message.params)) return decline(message.id)
      unanswered.add(message.id)
      guarded.onmessage?.(message, extra)
    } else {
      receiveNotification(message, extra)
    }
  }

  function decline(id: RequestId): void {
    const message = { jsonrpc: '2.0' as const, id, result: { action: 'decline' } }
    options.onMessage?.('client', message)
    void inner.send(message).catch(() => drop('the answer to a question'))
  }

  function receiveNotification(message: JSONRPCNotification, extra: Extra) {
    if (isTaken(message, options)) return
    const taken = cancelledBy(message)
    if (taken !== undefined) unanswered.delete(taken)
    if (!forwardedNotifications.has(message.method)) return drop(message.method)
    const token = message.params?.['progressToken']
    if (message.method !== 'notifications/progress') return guarded.onmessage?.(message, extra)
    const request = typeof token === 'number' ? open.get(token) : undefined
    if (request === undefined) return drop('progress of an unknown request')
    request.progress.next(message)
  }

  function settle(id: RequestId, isGivenUp: boolean): string | undefined {
    const request = open.get(id)
    request?.progress.stop()
    if (isGivenUp) request?.givenUp.abort()
    open.delete(id)
    return pending.settle(id)
  }

  /** Logs at powers of two, so that a flood of messages does not flood the log. */
  function drop(what: string) {
    droppedCount++
    if ((droppedCount & (droppedCount - 1)) === 0) logger.debug(`MCP server ${server}: dropped ${what}`, { count: droppedCount })
  }

  /** The stream of one request has ended. If the answer is missing, nothing else will deliver it. */
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
      options.onMessage?.('client', message)
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
      // Throttled before the SDK sees it, because a flood of progress would keep it busy.
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
    // The SDK recognizes a stdio transport by these two fields.
    ...('stderr' in inner && 'pid' in inner && { stderr: null, pid: null }),
  }
  return guarded
}

/** Handles the notifications that are not for the SDK. */
function isTaken({ method, params }: JSONRPCNotification, options: GuardOptions): boolean {
  const list = changedLists[method]
  if (list !== undefined) options.onListChanged(list)
  else if (method === 'notifications/message') options.onLog(params)
  else if (method === 'notifications/resources/updated') ifText(params?.['uri'], options.onResourceChanged)
  else if (method === 'notifications/elicitation/complete') ifText(params?.['elicitationId'], options.onElicited)
  else return false
  return true
}

function ifText(value: unknown, use: (text: string) => void): void {
  if (typeof value === 'string') use(value)
}

function acceptable(id: RequestId, method: string, result: Readonly<Record<string, unknown>>): JSONRPCMessage {
  const state = result['requestState']
  if (typeof state === 'string' && state.length > requestStateLengthMax)
    return { jsonrpc: '2.0', id, error: { code: invalidParams, message: 'the server sent a state that is too large' } }
  return { jsonrpc: '2.0', id, result: carryRaw(method, result) }
}
