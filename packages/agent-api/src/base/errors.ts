/** What a code looks like: the area that failed, a dot, and why (`mcp.connect_failed`). */
export type ErrorCode = `${string}.${string}`

/**
 * The one error Ostler throws on purpose. Its message is written for a person and holds no secret, so it may cross the wire;
 * any other error is unexpected, and only its fixed stand-in does.
 */
export class OstlerError extends Error {
  readonly code: ErrorCode
  readonly data: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, options: { data?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'OstlerError'
    this.code = code
    this.data = options.data ?? {}
  }
}

/** The text of anything that was thrown, for logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
