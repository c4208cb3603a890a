import type { Redactor } from '../../redaction/redact.ts'
import { stripHiddenLine } from '../../base/strip-hidden.ts'

export interface StderrTail {
  push(chunk: Buffer): void
  /** The last lines, clean enough to show. */
  lines(redactor: Redactor): string[]
}

const keptBytesMax = 256 * 1024
const shownLinesMax = 20
const shownLineLengthMax = 400

/** Remembers the end of what a server wrote to stderr, however much that was. */
export function createStderrTail(): StderrTail {
  let chunks: Buffer[] = []
  let bytes = 0
  return {
    push(chunk) {
      chunks.push(chunk)
      bytes += chunk.length
      // Trimmed at twice the size, so that a server that writes a byte at a time does not cost a copy for each.
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
