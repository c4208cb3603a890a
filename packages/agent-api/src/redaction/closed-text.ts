import { stripHidden } from '../base/strip-hidden.ts'
import { redactedMark, type Redactor } from './redact.ts'

/** The beginning of a text of which the rest is missing: cleaned, without its secrets, and up to where a secret may begin that was cut. */
export function closedText(begun: string, redactor: Redactor): string {
  const seen = stripHidden(begun)
  const struck = redactor.redact(seen)
  const closed = redactor.redact(seen.slice(0, seen.length - redactor.openEnd(seen)))
  if (struck.startsWith(closed)) return closed
  // One secret ends as another begins, so `closed` ends with half of the first. It may stand right behind the last mark.
  let length = 0
  while (closed.charCodeAt(length) === struck.charCodeAt(length)) length++
  const alike = closed.slice(0, length)
  const mark = alike.lastIndexOf(redactedMark)
  return mark === -1 ? alike : alike.slice(0, mark + redactedMark.length)
}
