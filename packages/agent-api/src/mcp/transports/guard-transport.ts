import { connectionLost } from '../../http/network-failure.ts'
import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  Transport,
} from '@modelcontextprotocol/client'
import type { Logger } from '../../base/logger.ts'
import { carryRaw } from './carry-raw.ts'
import {
  forwardedNotifications,
  takeNotification,
  throttleProgress,
  type NotificationHandlers,
} from './progress-and-notifications.ts'
import { LocalFailure, localFailure } from './local-failure.ts'
import { cancelledBy, type PendingRequests, type RequestId } from './pending-requests.ts'

interface GuardOptions extends NotificationHandlers {
  readonly server: string
  readonly pending: PendingRequests
  readonly logger: Logger
  /** True for a question that cannot be asked. It is declined here. */
  readonly declines: (params: unknown) => boolean
  readonly onMessage?: ((from: 'client' | 'server', message: unknown) => void) | undefined
}

/** Maximum number of a server's requests without an answer. Further requests are dropped. */
const unansweredMax = 64
/** Limit on the state that a server asks us to send back with the next round. */
const requestStateLengthMax = 1024 * 1024
const invalidParams = -32602

type Extra = Parameters<NonNullable<Transport['onmessage']>>[1]
type SendOptions = Parameters<Transport['send']>[1]

/** A pending request: its progress, and a controller that ends its stream once the request is given up. */
interface OpenRequest {
  readonly progress: ReturnType<typeof throttleProgress>
  readonly givenUp: AbortController
}

interface Guard extends GuardOptions {
  readonly inner: Transport
  readonly guarded: Transport
  /** Requests of the server without an answer. */
  readonly unanswered: Set<RequestId>
  readonly open: Map<RequestId, OpenRequest>
  droppedCount: number
}

/**
 * Guards the SDK against a server's messages. Passes only expected answers, in a form that the SDK accepts. Fails requests whose answers
 * were lost, and limits floods.
 */
export function guardTransport(inner: Transport, options: GuardOptions): Transport {
  const guarded: Transport = {
    get sessionId() {
      return inner.sessionId
    },
    async start() {
      inner.onmessage = (message, extra) => receive(guard, message, extra)
      inner.onclose = () => guarded.onclose?.()
      inner.onerror = (error) => guarded.onerror?.(error)
      await inner.start()
    },
    send: (message, sendOptions) => send(guard, message, sendOptions),
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    setSupportedProtocolVersions: (versions) => inner.setSupportedProtocolVersions?.(versions),
    ...(inner.hasPerRequestStream === true && { hasPerRequestStream: true }),
    // The SDK recognizes a stdio transport by these two fields.
    ...('stderr' in inner && 'pid' in inner && { stderr: null, pid: null }),
  }
  const guard: Guard = { ...options, inner, guarded, unanswered: new Set(), open: new Map(), droppedCount: 0 }
  return guarded
}

function receive(guard: Guard, message: JSONRPCMessage, extra: Extra): void {
  const { guarded, unanswered } = guard
  const isOurs = 'error' in message && message.error.data instanceof LocalFailure
  if (!isOurs) guard.onMessage?.('server', message)
  if (!('method' in message)) {
    if (message.id === undefined || !guard.pending.has(message.id))
      return drop(guard, 'an unexpected response')
    const method = settle(guard, message.id, isOurs) ?? ''
    guarded.onmessage?.('result' in message ? acceptable(message.id, method, message.result) : message, extra)
  } else if ('id' in message) {
    if (unanswered.size >= unansweredMax) return drop(guard, 'a request; too many are open')
    if (message.method === 'elicitation/create' && guard.declines(message.params))
      return decline(guard, message.id)
    unanswered.add(message.id)
    guarded.onmessage?.(message, extra)
  } else {
    receiveNotification(guard, message, extra)
  }
}

function decline(guard: Guard, id: RequestId): void {
  const message = { jsonrpc: '2.0' as const, id, result: { action: 'decline' } }
  guard.onMessage?.('client', message)
  void guard.inner.send(message).catch(() => drop(guard, 'the answer to a question'))
}

function receiveNotification(guard: Guard, message: JSONRPCNotification, extra: Extra): void {
  if (takeNotification(message, guard)) return
  const taken = cancelledBy(message)
  if (taken !== undefined) guard.unanswered.delete(taken)
  if (!forwardedNotifications.has(message.method)) return drop(guard, message.method)
  const token = message.params?.['progressToken']
  if (message.method !== 'notifications/progress') return guard.guarded.onmessage?.(message, extra)
  const request = typeof token === 'number' ? guard.open.get(token) : undefined
  if (request === undefined) return drop(guard, 'progress of an unknown request')
  request.progress.next(message)
}

async function send(guard: Guard, message: JSONRPCMessage, options: SendOptions): Promise<void> {
  guard.onMessage?.('client', message)
  guard.pending.sent(message)
  if ('method' in message && 'id' in message) return sendRequest(guard, message, options)
  const cancelled = cancelledBy(message)
  if (cancelled !== undefined) settle(guard, cancelled, true)
  await guard.inner.send(message, options)
  if ('id' in message && message.id !== undefined) guard.unanswered.delete(message.id)
}

async function sendRequest(guard: Guard, message: JSONRPCRequest, options: SendOptions): Promise<void> {
  const { id } = message
  const givenUp = new AbortController()
  guard.open.set(id, {
    givenUp,
    progress: throttleProgress((progress) => guard.guarded.onmessage?.(progress)),
  })
  options?.requestSignal?.addEventListener('abort', () => settle(guard, id, true), { once: true })
  try {
    await guard.inner.send(message, {
      ...options,
      requestSignal: givenUp.signal,
      onRequestStreamEnd() {
        options?.onRequestStreamEnd?.()
        streamEnded(guard, id)
      },
    })
  } catch (error) {
    settle(guard, id, false)
    throw error
  }
}

function settle({ open, pending }: Guard, id: RequestId, isGivenUp: boolean): string | undefined {
  const request = open.get(id)
  request?.progress.stop()
  if (isGivenUp) request?.givenUp.abort()
  open.delete(id)
  return pending.settle(id)
}

/** Logs at powers of two, so that a flood of messages does not flood the log. */
function drop(guard: Guard, what: string): void {
  const count = ++guard.droppedCount
  if ((count & (count - 1)) === 0)
    guard.logger.debug(`MCP server ${guard.server}: dropped ${what}`, { count })
}

/** The stream of one request has ended. If the answer is missing, nothing else will deliver it. */
function streamEnded({ pending, inner }: Guard, id: RequestId): void {
  if (!pending.has(id)) return
  inner.onmessage?.(localFailure(id, 'mcp.connection_lost', connectionLost))
}

function acceptable(
  id: RequestId,
  method: string,
  result: Readonly<Record<string, unknown>>,
): JSONRPCMessage {
  const state = result['requestState']
  if (typeof state === 'string' && state.length > requestStateLengthMax)
    return {
      jsonrpc: '2.0',
      id,
      error: { code: invalidParams, message: 'the server sent a state that is too large' },
    }
  return { jsonrpc: '2.0', id, result: carryRaw(method, result) }
}
