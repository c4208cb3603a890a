import type { TextCleaner } from '../base/clean-text.ts'
import { cleaning } from './cleaning.ts'
import { closedText } from './closed-text.ts'
import type { Redactor } from './redact.ts'

export function createTextCleaner(redactor: Redactor): TextCleaner {
  return {
    clean: (text, isCut = false) => (isCut ? closedText(text, redactor) : cleaning(redactor).redact(text)),
    rest(before, text) {
      const open = before.slice(before.length - redactor.openEnd(before))
      const redacted = redactor.redact(open + text)
      return redacted.startsWith(open) ? text : redacted
    },
  }
}
