import { randomUUID } from 'node:crypto'
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client'
import { isRecord } from '../../base/is-record.ts'
import type { McpRelay, RelayedNotification } from '../relay.ts'
import { localFailure } from './local-failure.ts'
import type { RequestId } from './pending-requests.ts'

/** Names the request of a subscription in its notifications. */
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId'

/**
 * Sends each request through the relay. There is no connection to open: from revision 2026-07-28 on, each request stands alone, and its
 * notifications come with it.
 */
export function createRelayTransport(serverId: string, relay: McpRelay): Transport {
  const closed = new AbortController()
  const prefix = randomUUID()

  async function carry(
    request: JSONRPCRequest,
    { requestSignal, onRequestStreamEnd }: TransportSendOptions,
  ): Promise<void> {
    const { id, method, params } = request
    const requestId = `${prefix}/${id}`
    const signal =
      requestSignal === undefined ? closed.signal : AbortSignal.any([closed.signal, requestSignal])
    const deliver = (message: JSONRPCMessage) => {
      if (!signal.aborted) transport.onmessage?.(message)
    }
    const onNotification = (notification: RelayedNotification) =>
      deliver(toNotification(notification, requestId, id))
    deliver(
      toResponse(
        id,
        await relay.request({ serverId, requestId, method, params }, { signal, onNotification }),
      ),
    )
    onRequestStreamEnd?.()
  }

  const transport: Transport = {
    hasPerRequestStream: true,
    start: () => Promise.resolve(),
    async send(message, options = {}) {
      // A relay has no other messages. A request is cancelled by its signal.
      if ('method' in message && 'id' in message) await carry(message, options)
    },
    async close() {
      if (closed.signal.aborted) return
      closed.abort()
      transport.onclose?.()
    },
  }
  return transport
}

function toResponse(id: RequestId, answer: unknown): JSONRPCMessage {
  const { result, error } = isRecord(answer) ? answer : {}
  if (isRecord(result)) return { jsonrpc: '2.0', id, result }
  const { code, message, data } = isRecord(error) ? error : {}
  if (Number.isInteger(code) && typeof message === 'string')
    return { jsonrpc: '2.0', id, error: { code: Number(code), message, data } }
  return localFailure(
    id,
    'mcp.call_failed',
    'the editor answered with an invalid result; the tool may have run',
  )
}

/** The SDK knows a subscription by the id that it gave to the request. */
function toNotification(
  { method, params }: RelayedNotification,
  requestId: string,
  id: RequestId,
): JSONRPCMessage {
  const meta = params?.['_meta']
  if (!isRecord(meta) || meta[subscriptionKey] !== requestId) return { jsonrpc: '2.0', method, params }
  return { jsonrpc: '2.0', method, params: { ...params, _meta: { ...meta, [subscriptionKey]: id } } }
}
