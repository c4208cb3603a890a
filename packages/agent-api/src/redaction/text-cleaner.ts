import type { TextCleaner } from '../base/clean-text.ts'
import { cleaning } from './cleaning.ts'
import { closedText } from './closed-text.ts'
import type { Redactor } from './redact.ts'

/** More than twice the length of the longest text that is redacted at once. */
const tailChars = 2_048

export function createTextCleaner(redactor: Redactor): TextCleaner {
  return {
    clean: (text, isCut = false) => (isCut ? closedText(text, redactor) : cleaning(redactor).redact(text)),
    rest(before, text) {
      const open = before.slice(before.length - redactor.openEnd(before))
      const redacted = redactor.redact(open + text)
      return redacted.startsWith(open) ? text : redacted
    },
    openEnd(text) {
      const tail = text.slice(-tailChars)
      const whole = redactor.redact(tail)
      let length = redactor.openEnd(tail)
      // If one secret ends like another begins, the first must not be split.
      while (!whole.startsWith(redactor.redact(tail.slice(0, tail.length - length)))) length++
      return length
    },
  }
}
