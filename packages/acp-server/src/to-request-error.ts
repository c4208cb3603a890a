import { RequestError } from '@agentclientprotocol/sdk'
import { OstlerError, type ErrorCode } from '@ostler/agent-api'
import { errorCodes } from './wire/message.ts'

/** The JSON-RPC code for each error that a handler may throw. */
const table: Readonly<Record<ErrorCode, number>> = {
  'acp.invalid_params': errorCodes.invalidParams,
  'acp.invalid_request': errorCodes.invalidRequest,
  'acp.auth_required': errorCodes.authRequired,
  'acp.unknown_session': errorCodes.notFound,
  'acp.request_cancelled': errorCodes.requestCancelled,
  'session.busy': errorCodes.invalidRequest,
  'session.closed': errorCodes.notFound,
  'session.unknown': errorCodes.notFound,
  'model.auth': errorCodes.authRequired,
  'model.no_key': errorCodes.authRequired,
  'model.unknown': errorCodes.invalidParams,
  'config.invalid': errorCodes.invalidParams,
}

/** Fields of an error's data that may be sent: names that came from the editor. */
const publicKeys = ['field', 'sessionId'] as const

/** Replaces the message of any error other than an `OstlerError`, which is written for a person. */
export const unexpectedErrorText =
  'Internal error: an unexpected error occurred in Ostler. See its log for details.'

export function toRequestError(
  error: unknown,
  redact: (text: string) => string = (text) => text,
): RequestError {
  if (error instanceof RequestError) return error
  if (!(error instanceof OstlerError))
    return new RequestError(errorCodes.internalError, unexpectedErrorText, { code: 'ostler.unexpected' })
  const data: Record<string, unknown> = { code: error.code }
  for (const key of publicKeys) if (key in error.data) data[key] = error.data[key]
  return new RequestError(table[error.code] ?? errorCodes.internalError, redact(error.message), data)
}

export function isUnexpected(error: unknown): boolean {
  return !(error instanceof RequestError) && !(error instanceof OstlerError)
}
