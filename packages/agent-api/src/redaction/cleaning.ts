import { stripHidden } from '../base/strip-hidden.ts'
import type { Redactor } from './redact.ts'

/** A redactor for text from outside: removes hidden characters, then strikes secrets. */
export function cleaning(redactor: Redactor): Redactor {
  return { ...redactor, redact: (text) => redactor.redact(stripHidden(text)) }
}
