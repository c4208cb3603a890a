import { expect, test } from 'vitest'
import type { StoredCall } from '../../../packages/console/src/api.ts'
import { answerApp } from '../../../packages/console/src/page/text/app-bridge.ts'
import { appUriIn, findApp, isApp } from '../../../packages/console/src/page/text/app-resource.ts'

const mimeType = 'text/html;profile=mcp-app'
const app = { uri: 'ui://a/b', mimeType, text: '<p>' }
const call = {
  arguments: { a: 1 },
  status: 'success',
  result: {
    content: [
      { type: 'text', text: 'x' },
      { type: 'terminal', terminalId: 't', text: 'y' },
    ],
  },
} as unknown as StoredCall
const host = { version: '1', theme: 'dark', call } as const
const rpc = (fields: object) => ({ jsonrpc: '2.0', ...fields })

test.each([
  ['ui://a', mimeType, true],
  ['ui://a', 'text/html; profile="mcp-app"', true],
  ['ui://a', 'text/html', false],
  ['ui://a', null, false],
  ['https://a', mimeType, false],
])('%s of type %s', (uri, type, expected) => expect(isApp({ uri, mimeType: type })).toBe(expected))

test('the app of a result is found, unless it is too large or not text', () => {
  const link = { type: 'resource_link', uri: 'ui://l', name: 'l', mimeType } as const
  expect(appUriIn([{ type: 'text', text: 'x' }])).toBeUndefined()
  expect(appUriIn([{ type: 'text', text: 'x' }, { type: 'resource', resource: app }, link])).toBe('ui://a/b')
  expect(appUriIn([link])).toBe('ui://l')
  expect(findApp([{ type: 'resource', resource: app }], 'ui://a/b')).toEqual({ html: '<p>' })
  expect(findApp([{ type: 'resource', resource: app }], 'ui://a/c')).toBeUndefined()
  expect(
    findApp([{ type: 'resource', resource: { ...app, text: 'x'.repeat(2 * 1024 * 1024 + 1) } }], 'ui://a/b'),
  ).toHaveProperty('problem')
  expect(
    findApp([{ type: 'resource', resource: { uri: 'ui://a/b', mimeType, blob: 'eA==' } }], 'ui://a/b'),
  ).toHaveProperty('problem')
})

test.each([
  ['text', 'hello'],
  ['nothing', null],
  ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }],
  ['no method', rpc({ id: 1 })],
  ['a long method', rpc({ id: 1, method: 'x'.repeat(201) })],
  ['a long id', rpc({ id: 'x'.repeat(201), method: 'ping' })],
  ['an object as id', rpc({ id: {}, method: 'ping' })],
  ['an unknown notification', rpc({ method: 'ui/notifications/size-changed', params: { height: 1e9 } })],
])('%s has no effect', (_, message) => expect(answerApp(message, host)).toEqual([]))

test.each([
  'tools/call',
  'ui/open-link',
  'ui/message',
  'resources/read',
  'ui/request-display-mode',
  'constructor',
])('%s is refused', (method) => {
  expect(answerApp(rpc({ id: 7, method, params: {} }), host)).toEqual([
    rpc({ id: 7, error: { code: -32_601, message: 'not supported' } }),
  ])
})

test('it is told who shows it, and then its call', () => {
  expect(answerApp(rpc({ id: 1, method: 'ui/initialize' }), host)).toEqual([
    rpc({ id: 1, result: expect.objectContaining({ protocolVersion: '2026-01-26', hostCapabilities: {} }) }),
  ])
  expect(answerApp(rpc({ id: 2, method: 'ping' }), host)).toEqual([rpc({ id: 2, result: {} })])
  const ready = rpc({ method: 'ui/notifications/initialized' })
  expect(answerApp(ready, host)).toEqual([
    rpc({ method: 'ui/notifications/tool-input', params: { arguments: { a: 1 } } }),
    rpc({
      method: 'ui/notifications/tool-result',
      params: { content: [{ type: 'text', text: 'x' }], isError: false },
    }),
  ])
  expect(answerApp(ready, { ...host, call: { ...call, result: null } })).toHaveLength(1)
  expect(answerApp(ready, { ...host, call: undefined })).toEqual([])
})
