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

/** For logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function toSystemReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? messageOf(error)
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'it exists already',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EIO: 'disk I/O error',
  EMFILE: 'too many open files',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'its name is too long',
  EFBIG: 'the file would become larger than is allowed',
  ERR_INVALID_ARG_VALUE: 'its name contains a null character',
}
