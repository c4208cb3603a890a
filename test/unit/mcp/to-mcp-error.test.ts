import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { OstlerError } from '../../../packages/agent-api/src/base/errors.ts'
import { toMcpError } from '../../../packages/agent-api/src/mcp/to-mcp-error.ts'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'

const secret = 'sk-SECRET-123456'
const redactor = createRedactor()
redactor.add(secret)

const of = (error: unknown) => {
  const { code, message } = toMcpError(error, redactor)
  return [code, message]
}
const http = (status: number, text?: string, message = 'failed') =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, message, {
    status,
    ...(text !== undefined && { text }),
  })
const system = (code: string) => Object.assign(new Error(`${code} somewhere`), { code })
/** The error that `fetch` throws. */
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause })

describe('toMcpError', () => {
  it('keeps an error of our own', () => {
    const own = new OstlerError('mcp.command_not_found', 'command not found: x')
    expect(toMcpError(own, redactor)).toBe(own)
  })

  it.each([
    ['401', new UnauthorizedError('no'), 401],
    ['HTTP 401', http(401), 401],
    ['HTTP 403', http(403, 'forbidden'), 403],
  ])('%s needs authorization', (_, error, status) => {
    expect(of(error)).toEqual(['mcp.needs_authorization', `needs authorization (HTTP ${status})`])
  })

  it.each([
    ['with its body', http(500, 'out of hay'), 'the server answered with HTTP 500: out of hay'],
    ['without an empty body', http(502, ' '), 'the server answered with HTTP 502'],
    ['without a body', http(503), 'the server answered with HTTP 503'],
    ['without a page', http(404, ' <html>no</html>'), 'the server answered with HTTP 404'],
    [
      'without a secret',
      http(500, `the token ${secret}`),
      'the server answered with HTTP 500: the token [redacted]',
    ],
    ['cut', http(500, 'x'.repeat(900)), `the server answered with HTTP 500: ${'x'.repeat(200)}…`],
    [
      'with a redirect',
      http(307, '', 'Redirect to http://elsewhere'),
      'the server answered with HTTP 307: Redirect to http://elsewhere',
    ],
    [
      'over SSE',
      new Error('Error POSTing to endpoint (HTTP 500): broken'),
      'the server answered with HTTP 500: broken',
    ],
    [
      'of the SSE stream',
      new Error('SSE error: Non-200 status code (502)'),
      'the server answered with HTTP 502',
    ],
  ])('an HTTP error is reported %s', (_, error, message) => {
    expect(of(error)).toEqual(['mcp.http_error', message])
  })

  it.each([
    ['refused', system('ECONNREFUSED'), 'connection refused'],
    ['in a cause', fetchFailed(system('ENOTFOUND')), 'host not found'],
    [
      'the first of several',
      fetchFailed(new AggregateError([system('ETIMEDOUT'), system('ECONNREFUSED')])),
      'the host does not respond',
    ],
    [
      'a certificate',
      fetchFailed(system('CERT_HAS_EXPIRED')),
      "the server's certificate cannot be trusted (CERT_HAS_EXPIRED)",
    ],
    [
      'kept as text',
      new Error('SSE error: TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:1'),
      'connection refused',
    ],
  ])("a failed connection is explained by the system's error: %s", (_, error, message) => {
    expect(of(error)).toEqual(['mcp.unreachable', message])
  })

  it('a port that is never requested is not a matter of the network', async () => {
    const error = await fetch('http://127.0.0.1:9/').catch((reason: unknown) => reason)
    expect(of(error)).toEqual(['mcp.invalid_url', 'its port is not allowed for http; choose another one'])
  })

  it.each([
    ['its reason', new ProtocolError(-32_000, 'no such horse'), 'no such horse'],
    ['its number', new ProtocolError(-32_001, ' '), 'the server answered with error -32001'],
    ['no secret', new ProtocolError(-32_002, `not with ${secret}`), 'not with [redacted]'],
    ['no more than it takes', new ProtocolError(-32_003, 'y'.repeat(2_000)), `${'y'.repeat(1_000)}…`],
  ])('a protocol error says %s', (_, error, message) => {
    expect(of(error)).toEqual(['mcp.call_failed', message])
  })

  it.each([
    [SdkErrorCode.ConnectionClosed, 'mcp.connection_lost', 'connection lost; the tool may have run'],
    [SdkErrorCode.RequestTimeout, 'mcp.call_timeout', 'timed out'],
    [
      SdkErrorCode.EraNegotiationFailed,
      'mcp.incompatible_protocol',
      'the server supports no MCP version that Ostler supports',
    ],
    [SdkErrorCode.SendFailed, 'mcp.call_failed', 'what the SDK says'],
  ])('the error %s of the SDK', (code, expected, message) => {
    expect(of(new SdkError(code, 'what the SDK says'))).toEqual([expected, message])
  })

  it('explains why a negotiation failed', () => {
    const error = new SdkError(SdkErrorCode.EraNegotiationFailed, 'failed', undefined, {
      cause: system('ECONNRESET'),
    })
    expect(of(error)).toEqual(['mcp.unreachable', 'connection lost; the tool may have run'])
  })

  it.each([
    ['invalid JSON', new SyntaxError('Unexpected token'), 'the server answered with invalid JSON'],
    ['the cause of a failed fetch', fetchFailed(new Error('no route for hay')), 'no route for hay'],
    ['an error that nobody knows', new Error('strange'), 'strange'],
    ['a text', 'just a text', 'just a text'],
  ])('anything else: %s', (_, error, message) => {
    expect(of(error)).toEqual(['mcp.call_failed', message])
  })
})
