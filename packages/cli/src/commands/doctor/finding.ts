/** The result of one examination. `ostler doctor --json` prints these. */
export interface Finding {
  readonly what: string
  /** A note is neither good nor bad. A problem keeps Ostler from working. */
  readonly state: 'ok' | 'note' | 'warning' | 'problem'
  readonly found: string
  /** The advice for the person. */
  readonly advice?: string
}
