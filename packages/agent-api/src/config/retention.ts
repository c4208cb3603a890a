/** How long calls and sessions are kept. */
export interface Retention {
  /** Counted from the start of a call, and from the last use of a session. Those of this agent. */
  readonly keepDays: number
  /** Of the whole database, in which other agents may have their part: what was used least lately goes first. */
  readonly maxBytes: number
}

export const retentionDefault: Retention = { keepDays: 90, maxBytes: 1024 ** 3 }
