import { APICallError } from '@ai-sdk/provider'
import { messageOf, OstlerError } from '../base/errors.ts'

/** What is known of a request that went wrong, wherever it did: refused, unreachable, or an error inside a stream. */
export interface Failure {
  readonly status?: number
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  /** The vendor was not reached, or hung up. */
  readonly isConnection: boolean
}

export function describeFailure(error: unknown): Failure {
  if (APICallError.isInstance(error)) {
    // A stream that breaks in the middle is reported with the status it began with.
    const isRefusal = error.statusCode !== undefined && error.statusCode >= 400
    return {
      ...(isRefusal && { status: error.statusCode }),
      // The message is the vendor's sentence; where the body had none, it is only the status again.
      text: isRefusal && error.data === undefined ? `${error.message} ${error.responseBody ?? ''}`.trim() : error.message,
      headers: error.responseHeaders ?? {},
      isConnection: !isRefusal && error.isRetryable,
    }
  }
  const { statusCode, message } = typeof error === 'object' && error !== null ? (error as { statusCode?: unknown; message?: unknown }) : {}
  return {
    ...(typeof statusCode === 'number' && { status: statusCode }),
    text: typeof message === 'string' ? message : messageOf(error),
    headers: {},
    isConnection: false,
  }
}

/** The error with which we broke off a stream. The packages wrap it, some of them twice. */
export function ownErrorIn(error: unknown): OstlerError | undefined {
  let inner = error
  while (inner instanceof Error && !(inner instanceof OstlerError)) inner = inner.cause
  return inner instanceof OstlerError ? inner : undefined
}
