import type { CleanText } from '../base/clean-text.ts'
import { cleaning } from '../redaction/cleaning.ts'
import { closedText } from '../redaction/closed-text.ts'
import type { Redactor } from '../redaction/redact.ts'

/** Everything that strikes secrets in sessions. Made where the redactor is made; nothing behind it knows a redactor. */
export interface Membranes {
  /** In: texts of files and names of folders. */
  readonly text: CleanText
}

export function createMembranes(redactor: Redactor): Membranes {
  return {
    text: (text, isCut = false) => (isCut ? closedText(text, redactor) : cleaning(redactor).redact(text)),
  }
}
