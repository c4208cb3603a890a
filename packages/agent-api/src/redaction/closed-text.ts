import { stripHidden } from '../base/strip-hidden.ts'
import { redactedMark, type Redactor } from './redact.ts'

/** Cleans and redacts the beginning of a text whose rest is missing. Drops an ending that may be the start of a secret. */
export function closedText(begun: string, redactor: Redactor): string {
  const seen = stripHidden(begun)
  const struck = redactor.redact(seen)
  const closed = redactor.redact(seen.slice(0, seen.length - redactor.openEnd(seen)))
  if (struck.startsWith(closed)) return closed
  // A secret that overlaps the cut leaves half of another secret at the end of `closed`. Cut at the last mark that both have in common.
  let length = 0
  while (closed.charCodeAt(length) === struck.charCodeAt(length)) length++
  const alike = closed.slice(0, length)
  const mark = alike.lastIndexOf(redactedMark)
  return mark === -1 ? alike : alike.slice(0, mark + redactedMark.length)
}
