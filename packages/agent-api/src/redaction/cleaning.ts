import { stripHidden } from '../base/strip-hidden.ts'
import type { Redactor } from './redact.ts'

/** A redactor for untrusted text: removes hidden characters, then redacts secrets. */
export function cleaning(redactor: Redactor): Redactor {
  return { ...redactor, redact: (text) => redactor.redact(stripHidden(text)) }
}
