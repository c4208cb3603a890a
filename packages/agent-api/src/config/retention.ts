/** Limits on stored calls and sessions. */
export interface Retention {
  /** Days since the start of a call or the last use of a session. Applies to this agent only. */
  readonly keepDays: number
  /** Maximum size of the database, which other agents may share. The least recently used data is deleted first. */
  readonly maxBytes: number
}

export const retentionDefault: Retention = { keepDays: 90, maxBytes: 1024 ** 3 }
