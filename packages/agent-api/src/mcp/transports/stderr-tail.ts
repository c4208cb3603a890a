import type { Redactor } from '../../redaction/redact.ts'
import { stripHiddenLine } from '../../base/strip-hidden.ts'

export interface StderrTail {
  push(chunk: Buffer): void
  /** The last lines, cleaned and redacted. */
  lines(redactor: Redactor): string[]
}

const keptBytesMax = 256 * 1024
const shownLinesMax = 20
const shownLineLengthMax = 400

/** Keeps the end of a server's stderr output. */
export function createStderrTail(): StderrTail {
  let chunks: Buffer[] = []
  let bytes = 0
  return {
    push(chunk) {
      chunks.push(chunk)
      bytes += chunk.length
      // Trim at twice the size: a server that writes single bytes must not cost a copy for each.
      if (bytes < 2 * keptBytesMax) return
      const kept = Buffer.from(Buffer.concat(chunks).subarray(-keptBytesMax))
      chunks = [kept]
      bytes = kept.length
    },
    lines(redactor) {
      return Buffer.concat(chunks)
        .subarray(-keptBytesMax)
        .toString()
        .split('\n')
        .map((line) => stripHiddenLine(line))
        .filter((line) => line !== '')
        .slice(-shownLinesMax)
        .map((line) => redactor.redact(line))
        .map((line) => (line.length > shownLineLengthMax ? `${line.slice(0, shownLineLengthMax)}…` : line))
    },
  }
}
