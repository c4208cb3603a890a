import { stripHidden } from '../base/strip-hidden.ts'
import { redactedMark } from '../base/clean-text.ts'
import type { Redactor } from './redact.ts'

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
