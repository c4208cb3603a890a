import { APICallError } from '@ai-sdk/provider'
import { messageOf, OstlerError } from '../base/errors.ts'

/** A failed request in a uniform shape: refused, unreachable, or an error within a stream. */
export interface Failure {
  readonly status?: number
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  /** The time to wait that the vendor gives in the body, if any. */
  readonly retryAfterMs?: number
  /** True if a quota for a whole day is used up. */
  readonly isDailyQuota?: boolean
  /** True if the vendor could not be reached or closed the connection. */
  readonly isConnection: boolean
}

export function describeFailure(error: unknown): Failure {
  if (APICallError.isInstance(error)) {
    // The error of an interrupted stream still carries the status with which the stream began.
    const isRefusal = error.statusCode !== undefined && error.statusCode >= 400
    return {
      ...(isRefusal && { status: error.statusCode }),
      // Without parsed data, the message only repeats the status, so the body is added.
      text:
        isRefusal && error.data === undefined
          ? `${error.message} ${error.responseBody ?? ''}`.trim()
          : error.message,
      headers: error.responseHeaders ?? {},
      ...waitIn(error.responseBody ?? ''),
      isConnection: !isRefusal && error.isRetryable,
    }
  }
  const { statusCode, message } =
    typeof error === 'object' && error !== null ? (error as { statusCode?: unknown; message?: unknown }) : {}
  return {
    ...(typeof statusCode === 'number' && { status: statusCode }),
    text: typeof message === 'string' ? message : messageOf(error),
    headers: {},
    isConnection: false,
  }
}

/** Google's response body says which quota is used up, and when to try again. */
function waitIn(body: string): Pick<Failure, 'retryAfterMs' | 'isDailyQuota'> {
  const [, seconds] = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body) ?? []
  return {
    ...(seconds !== undefined && { retryAfterMs: Number(seconds) * 1_000 }),
    ...(/"quotaId"\s*:\s*"[^"]*PerDay/.test(body) && { isDailyQuota: true }),
  }
}

/** Finds our own error with which a stream was cancelled. The packages wrap it, some of them twice. */
export function ownErrorIn(error: unknown): OstlerError | undefined {
  let inner = error
  while (inner instanceof Error && !(inner instanceof OstlerError)) inner = inner.cause
  return inner instanceof OstlerError ? inner : undefined
}
