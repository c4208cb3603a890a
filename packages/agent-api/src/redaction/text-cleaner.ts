import { type TextCleaner, redactedMark } from '../base/clean-text.ts'
import type { Redactor } from './redact.ts'
import { stripHidden } from '../base/strip-hidden.ts'

/** A redactor for untrusted text: removes hidden characters, then redacts secrets. */
export function cleaning(redactor: Redactor): Redactor {
  return { ...redactor, redact: (text) => redactor.redact(stripHidden(text)) }
}

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

/** Cleans and redacts the beginning of a text whose rest is missing. Drops an ending that may be the start of a secret. */
export function closedText(beginning: string, redactor: Redactor): string {
  const seen = stripHidden(beginning)
  const struck = redactor.redact(seen)
  const closed = redactor.redact(seen.slice(0, seen.length - redactor.openEnd(seen)))
  if (struck.startsWith(closed)) return closed
  // If one secret ends like another begins, `closed` may end within the first. Keep only what both versions share, up to their last mark.
  let length = 0
  while (closed.charCodeAt(length) === struck.charCodeAt(length)) length++
  const alike = closed.slice(0, length)
  const mark = alike.lastIndexOf(redactedMark)
  return mark === -1 ? alike : alike.slice(0, mark + redactedMark.length)
}
