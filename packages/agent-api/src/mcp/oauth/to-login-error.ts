import {
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client'
import { OstlerError } from '../../base/errors.ts'
import type { Redactor } from '../../redaction/redact.ts'
import { stripHiddenLine } from '../../base/strip-hidden.ts'
import { serverText } from '../server-text.ts'
import { toMcpError } from '../to-mcp-error.ts'

const lineLengthMax = 300

/** Converts a login error to one that may be shown. Text from the authorization server is cleaned and cut. */
export function toLoginError(error: unknown, redactor: Redactor): OstlerError {
  if (error instanceof OstlerError) return error
  const because = (code: `login.${string}`, message: string) =>
    new OstlerError(code, message, { cause: error })
  if (error instanceof RegistrationRejectedError)
    return because(
      'login.no_registration',
      `It rejected the client registration (HTTP ${error.status}). ${registerByHand}`,
    )
  if (error instanceof IssuerMismatchError)
    return because(
      'login.wrong_issuer',
      'The issuer of the authorization server does not match. Nothing was sent to it.',
    )
  if (error instanceof InsecureTokenEndpointError)
    return because(
      'login.refused_address',
      'The authorization server requires an unencrypted connection, which is rejected.',
    )
  if (error instanceof OAuthError)
    return because(
      'login.refused',
      `The authorization server rejected the request: ${toOneLine(`${error.code}: ${error.message}`, redactor)}`,
    )
  if (error instanceof Error && (error.name === 'ZodError' || error instanceof SyntaxError))
    return because('login.failed', 'The authorization server sent an invalid response.')
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return because('login.failed', 'The authorization server did not answer in time.')
  const known = toMcpError(error, redactor)
  return because('login.failed', `The login failed: ${toOneLine(known.message, redactor)}`)
}

export const registerByHand = 'Register a client there yourself, and pass its ID with --client-id.'

export function toOneLine(text: string, redactor: Redactor): string {
  return stripHiddenLine(serverText(text, redactor, lineLengthMax))
}
