import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { RelayedRequest, RelayOptions } from '../../../packages/agent-api/src/mcp/relay.ts'
import { createRelayTransport } from '../../../packages/agent-api/src/mcp/transports/relay-transport.ts'

const key = 'io.modelcontextprotocol/subscriptionId'
const listen = { jsonrpc: '2.0', id: 'listen-1', method: 'subscriptions/listen', params: {} } as const

interface Relayed {
  readonly request: RelayedRequest
  readonly options: RelayOptions
  readonly answer: (outcome: unknown) => void
}

function openTransport() {
  const relayed: Relayed[] = []
  const received: JSONRPCMessage[] = []
  const transport = createRelayTransport('notes', {
    request: (request, options) => new Promise((answer) => relayed.push({ request, options, answer })),
  })
  transport.onmessage = (message) => received.push(message)
  return { transport, relayed, received }
}

test('a subscription is known by the id of its request', () => {
  const { transport, relayed, received } = openTransport()
  void transport.send(listen)
  const [sent] = relayed
  const notify = (subscription: unknown) =>
    sent?.options.onNotification({
      method: 'notifications/tools/list_changed',
      params: { _meta: { [key]: subscription } },
    })
  notify(sent?.request.requestId)
  notify('another')
  expect(received.map((message) => ('params' in message ? message.params?._meta?.[key] : undefined))).toEqual(
    ['listen-1', 'another'],
  )
})

test('the same id in two connections is not the same request', () => {
  const [one, other] = [openTransport(), openTransport()]
  for (const { transport } of [one, other]) void transport.send(listen)
  expect(one.relayed[0]?.request.requestId).not.toBe(other.relayed[0]?.request.requestId)
})

test('closing ends every request, and nothing arrives afterwards', async () => {
  const { transport, relayed, received } = openTransport()
  let closed = 0
  transport.onclose = () => void closed++
  const ended = transport.send(listen, { requestSignal: new AbortController().signal })
  await transport.close()
  await transport.close()
  expect(relayed[0]?.options.signal.aborted).toBe(true)
  relayed[0]?.answer({ result: {} })
  await ended
  expect(received).toEqual([])
  expect(closed).toBe(1)
})

test.each<[string, unknown, object]>([
  ['a result', { result: { tools: [] } }, { id: 1, result: { tools: [] } }],
  [
    'a result with an error beside it',
    { result: {}, error: { code: 1, message: 'x' } },
    { id: 1, result: {} },
  ],
  [
    'an error',
    { error: { code: -32_601, message: 'none' } },
    { id: 1, error: { code: -32_601, message: 'none' } },
  ],
  [
    'neither',
    {},
    { id: 1, error: { message: 'the editor answered with an invalid result; the tool may have run' } },
  ],
  ['a code that is no number', { error: { code: '1', message: 'x' } }, { id: 1, error: { code: -32_603 } }],
])('passes on %s', async (_, outcome, expected) => {
  const { transport, relayed, received } = openTransport()
  const sent = transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  relayed[0]?.answer(outcome)
  await sent
  expect(received).toMatchObject([expected])
})

test('only requests are sent', async () => {
  const { transport, relayed } = openTransport()
  await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  expect(relayed).toEqual([])
})
