import type { TextCleaner } from '../base/clean-text.ts'
import { createTextCleaner } from '../redaction/text-cleaner.ts'
import type { Redactor } from '../redaction/redact.ts'
import { createCallMembrane, type CallMembrane } from '../tools/call-membrane.ts'

/** Everything that strikes secrets in sessions. Made where the redactor is made; nothing behind it knows a redactor. */
export interface Membranes {
  /** In: texts of files, names of folders, and the parts that are shown of long texts. */
  readonly texts: TextCleaner
  /** In: calls and their results. */
  readonly calls: CallMembrane
}

export function createMembranes(redactor: Redactor): Membranes {
  return { texts: createTextCleaner(redactor), calls: createCallMembrane(redactor) }
}
