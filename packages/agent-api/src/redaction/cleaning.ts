import { stripHidden } from '../base/strip-hidden.ts'
import type { Redactor } from './redact.ts'

/** The same redactor for texts of others: hidden characters are removed, then secrets are struck. */
export function cleaning(redactor: Redactor): Redactor {
  return { ...redactor, redact: (text) => redactor.redact(stripHidden(text)) }
}
