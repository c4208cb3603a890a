import { OstlerError, type ErrorCode } from '../base/errors.ts'
import { stripHidden } from '../base/strip-hidden.ts'
import { closedText } from '../redaction/text-cleaner.ts'
import type { Redactor } from '../redaction/redact.ts'
import type { StderrLine } from './transports/stderr-tail.ts'

const serverTextLengthMax = 1_000
const searchedCharsMax = 32 * 1024
const lastLinesMax = 20
const tailLengthMax = 4_000

/** Cleans a server's text before cutting it, so that no half of a secret remains. */
export function serverText(text: string, redactor: Redactor, lengthMax = serverTextLengthMax): string {
  const isLong = text.length > searchedCharsMax
  const clean = (
    isLong ? closedText(text.slice(0, searchedCharsMax), redactor) : redactor.redact(stripHidden(text))
  ).trim()
  return clean.length > lengthMax ? `${clean.slice(0, lengthMax).toWellFormed()}…` : clean
}

/** An error with the last lines that the server wrote to stderr. `line` stands first, and alone in a summary. */
export function withLastWords(
  code: ErrorCode,
  line: string,
  stderr: readonly StderrLine[],
  redactor: Redactor,
  data: object = {},
): OstlerError {
  const lines = stderr.slice(-lastLinesMax).map(({ text }) => text)
  const tail = serverText(lines.join('\n'), redactor, tailLengthMax)
  return new OstlerError(code, tail === '' ? line : `${line}\n${tail}`, { data: { summary: line, ...data } })
}
