/** The result of one examination. `ostler doctor --json` prints these. */
export interface Finding {
  readonly what: string
  /** A note is neither good nor bad. A problem keeps Ostler from working. */
  readonly state: 'ok' | 'note' | 'warning' | 'problem'
  readonly found: string
  readonly advice?: string | undefined
}

export function finding(what: string, state: Finding['state'], found: string, advice?: string): Finding {
  return { what, state, found, advice }
}
