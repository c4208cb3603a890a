import { stripHidden } from '../base/strip-hidden.ts'
import { closedText } from '../redaction/text-cleaner.ts'
import type { Redactor } from '../redaction/redact.ts'

const serverTextLengthMax = 1_000
const searchedCharsMax = 32 * 1024

/** Cleans a server's text before cutting it, so that no half of a secret remains. */
export function serverText(text: string, redactor: Redactor, lengthMax = serverTextLengthMax): string {
  const isLong = text.length > searchedCharsMax
  const clean = (
    isLong ? closedText(text.slice(0, searchedCharsMax), redactor) : redactor.redact(stripHidden(text))
  ).trim()
  return clean.length > lengthMax ? `${clean.slice(0, lengthMax).toWellFormed()}…` : clean
}
