import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { messageOf, OstlerError, type ErrorCode } from '../base/errors.ts'
import type { Redactor } from '../redaction/redact.ts'
import { stripHiddenLine } from '../base/strip-hidden.ts'
import { badPort, blockedPort, networkFailureOf, connectionLost } from '../http/network-failure.ts'
import { serverText } from './server-text.ts'
import { LocalFailure } from './transports/local-failure.ts'

const bodyLengthMax = 200

/** Converts an error of the SDK, a transport or `fetch` to one that may be shown. */
export function toMcpError(error: unknown, redactor: Redactor): OstlerError {
  if (error instanceof OstlerError) return error
  if (error instanceof ProtocolError) return fromProtocolError(error, redactor)
  if (error instanceof UnauthorizedError) return needsAuthorization(401)
  if (error instanceof InsufficientScopeError) return needsAuthorization(403, error)
  const status = httpStatusOf(error)
  if (status !== undefined) return fromHttpStatus(status, httpBodyOf(error), error, redactor)
  const network = networkFailureOf(error)
  if (network !== undefined) return new OstlerError('mcp.unreachable', network, { cause: error })
  if (messageOf(innermost(error)) === badPort)
    return new OstlerError('mcp.invalid_url', blockedPort, { cause: error })
  if (error instanceof SdkError) return fromSdkError(error, redactor)
  if (error instanceof SyntaxError)
    return new OstlerError('mcp.call_failed', 'the server answered with invalid JSON', { cause: error })
  return new OstlerError('mcp.call_failed', serverText(messageOf(innermost(error)), redactor), {
    cause: error,
  })
}

/** `fetch` only reports "fetch failed" and keeps the reason as the cause. */
function innermost(error: unknown): unknown {
  return error instanceof TypeError && error.cause instanceof Error ? error.cause : error
}

function fromProtocolError(error: ProtocolError, redactor: Redactor): OstlerError {
  if (error.data instanceof LocalFailure)
    return new OstlerError(error.data.code, error.message, { cause: error })
  const message = withoutPrefix(serverText(error.message, redactor))
  return new OstlerError(
    'mcp.call_failed',
    message === '' ? `the server answered with error ${error.code}` : message,
    {
      data: { rpcCode: error.code },
      cause: error,
    },
  )
}

/** Servers of the first SDK write their error code into the message, sometimes twice. */
function withoutPrefix(message: string): string {
  return message.replace(/^(?:MCP error(?: -?\d+)?: *)+/, '')
}

function fromSdkError(error: SdkError, redactor: Redactor): OstlerError {
  // A negotiation that failed for another reason says nothing about versions.
  if (error.code === SdkErrorCode.EraNegotiationFailed && error.cause instanceof Error)
    return toMcpError(error.cause, redactor)
  const text = sdkTexts[error.code]
  if (text !== undefined) return new OstlerError(text[0], text[1], { cause: error })
  return new OstlerError('mcp.call_failed', serverText(error.message, redactor, bodyLengthMax), {
    cause: error,
  })
}

const sdkTexts: Partial<Record<string, readonly [ErrorCode, string]>> = {
  [SdkErrorCode.ConnectionClosed]: ['mcp.connection_lost', connectionLost],
  [SdkErrorCode.NotConnected]: ['mcp.connection_lost', 'the server is not connected'],
  [SdkErrorCode.RequestTimeout]: ['mcp.call_timeout', 'timed out'],
  [SdkErrorCode.InvalidResult]: ['mcp.call_failed', 'the server answered with an invalid result'],
  [SdkErrorCode.UnsupportedResultType]: [
    'mcp.call_failed',
    'the server answered with an unknown result type',
  ],
  [SdkErrorCode.InputRequiredRoundsExceeded]: [
    'mcp.call_failed',
    'the server asked for more input too many times',
  ],
  [SdkErrorCode.CapabilityNotSupported]: [
    'mcp.call_failed',
    'the server requested a capability that this session does not offer',
  ],
  [SdkErrorCode.EraNegotiationFailed]: [
    'mcp.incompatible_protocol',
    'the server supports no MCP version that Ostler supports',
  ],
}

function fromHttpStatus(status: number, body: string, cause: unknown, redactor: Redactor): OstlerError {
  if (status === 401 || status === 403) return needsAuthorization(status, cause)
  const shown = /^\s*</.test(body) ? '' : stripHiddenLine(serverText(body, redactor, bodyLengthMax))
  return new OstlerError(
    'mcp.http_error',
    `the server answered with HTTP ${status}${shown === '' ? '' : `: ${shown}`}`,
    {
      data: { status },
      cause,
    },
  )
}

function needsAuthorization(status: number, cause?: unknown): OstlerError {
  return new OstlerError('mcp.needs_authorization', `needs authorization (HTTP ${status})`, {
    data: { status },
    cause,
  })
}

function httpStatusOf(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.data.status
  if (!(error instanceof Error)) return undefined
  // The SSE transport has no error class for this.
  const written =
    /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(error.message) ??
    /^SSE error: Non-200 status code \((\d{3})\)/.exec(error.message)
  return written?.[1] === undefined ? undefined : Number(written[1])
}

function httpBodyOf(error: unknown): string {
  if (error instanceof SdkHttpError) {
    const redirect = /Redirect (?:to|from) .*/
      .exec(error.message)?.[0]
      .replace(/ \(redirectPolicy: [^)]*\)$/, '')
    const { text } = error.data
    return redirect ?? (typeof text === 'string' ? text : '')
  }
  return /^Error POSTing to endpoint \(HTTP \d{3}\): ([\s\S]*)$/.exec((error as Error).message)?.[1] ?? ''
}
