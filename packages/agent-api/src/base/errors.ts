/** The area that failed, a dot, and the reason: `mcp.connect_failed`. */
export type ErrorCode = `${string}.${string}`

/**
 * The only error that Ostler throws on purpose. Its message is written for a person and contains no secret, so it may cross the wire. Any
 * other error is unexpected and crosses the wire as one fixed sentence.
 */
export class OstlerError extends Error {
  readonly code: ErrorCode
  readonly data: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message: string,
    options: { data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'OstlerError'
    this.code = code
    this.data = options.data ?? {}
  }
}

/** The text of any thrown value, for logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
