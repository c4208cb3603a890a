import { RequestError } from '@agentclientprotocol/sdk'
import { OstlerError } from '@ostler/agent-api'
import { expect, test } from 'vitest'
import { toRequestError, unexpectedErrorText } from '../../../packages/acp-server/src/to-request-error.ts'

test.each([
  ['acp.invalid_params', -32602],
  ['acp.invalid_request', -32600],
  ['acp.auth_required', -32000],
  ['acp.unknown_session', -32002],
  ['session.busy', -32600],
  ['session.closed', -32002],
  ['model.auth', -32000],
  ['model.no_key', -32000],
  ['model.unknown', -32602],
  ['mcp.connect_failed', -32603],
] as const)('%s is sent as %d with its text and its code', (code, expected) => {
  expect(toRequestError(new OstlerError(code, 'Said for a person.'))).toMatchObject({
    code: expected,
    message: 'Said for a person.',
    data: { code },
  })
})

test('only names that the editor sent are included in the data', () => {
  const error = new OstlerError('acp.unknown_session', 'x', {
    data: { sessionId: 's', field: 'f', token: 'secret', url: 'x' },
    cause: new Error('secret'),
  })
  expect(toRequestError(error).data).toEqual({ code: 'acp.unknown_session', sessionId: 's', field: 'f' })
})

test.each<[unknown]>([
  [new Error('Bearer secret')],
  [new TypeError('secret')],
  ['secret'],
  [{ message: 'secret' }],
  [undefined],
  [JSON.stringify({ secret: 1 })],
])('anything else is sent as a fixed sentence', (error) => {
  const { code, message, data } = toRequestError(error)
  expect({ code, message, data }).toEqual({
    code: -32603,
    message: unexpectedErrorText,
    data: { code: 'ostler.unexpected' },
  })
})

test('a protocol error is sent unchanged', () => {
  const error = RequestError.methodNotFound('x')
  expect(toRequestError(error)).toBe(error)
})
