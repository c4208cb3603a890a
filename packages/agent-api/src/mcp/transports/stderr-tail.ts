import type { Redactor } from '../../redaction/redact.ts'
import { stripHiddenLine } from '../../base/strip-hidden.ts'

/** A line of a server's stderr output, cleaned and redacted. */
export interface StderrLine {
  /** Time of arrival, in ISO 8601. */
  readonly at: string
  readonly text: string
}

export type StderrTail = ReturnType<typeof createStderrTail>

const keptBytesMax = 256 * 1024
const marksMax = 2_000
const shownLinesMax = 20
const shownLineLengthMax = 400
const newline = 0x0a

/** The time at which the bytes from this place on arrived. */
interface Mark {
  readonly place: number
  readonly at: number
}

/** Keeps the end of a server's stderr output. One buffer, so that a server that writes single bytes does not cost an object for each. */
export function createStderrTail(now = Date.now) {
  let kept = Buffer.alloc(0)
  let length = 0
  /** Number of earlier bytes that were dropped. Places count them as well. */
  let gone = 0
  let marks: Mark[] = []

  function makeRoom(bytes: number): void {
    // Shrinks only at twice the size, so that not every chunk moves the rest.
    const left = length + bytes > 2 * keptBytesMax ? Math.min(length, keptBytesMax) : length
    if (left < length) kept.copyWithin(0, length - left, length)
    gone += length - left
    length = left
    if (kept.length >= length + bytes) return
    const wider = Buffer.alloc(Math.min(2 * keptBytesMax, Math.max(4_096, 2 * (length + bytes))))
    kept.copy(wider, 0, 0, length)
    kept = wider
  }

  function timeAt(place: number): string {
    const mark = marks.findLast((candidate) => candidate.place <= place) ?? marks[0]
    return new Date(mark?.at ?? 0).toISOString()
  }

  return {
    push(chunk: Buffer): void {
      const at = now()
      if (marks.at(-1)?.at !== at) marks.push({ place: gone + length, at })
      if (marks.length > 2 * marksMax) marks = marks.slice(-marksMax)
      const added = chunk.subarray(-keptBytesMax)
      makeRoom(added.length)
      added.copy(kept, length)
      length += added.length
    },
    /** The last lines, oldest first. */
    lines(redactor: Redactor, linesMax = shownLinesMax): StderrLine[] {
      const begin = Math.max(0, length - keptBytesMax)
      const found: StderrLine[] = []
      for (let end = length; end > begin && found.length < linesMax;) {
        const start = Math.max(kept.lastIndexOf(newline, end - 1) + 1, begin)
        const text = stripHiddenLine(kept.toString('utf8', start, end))
        if (text !== '') found.push({ at: timeAt(gone + start), text: shorten(redactor.redact(text)) })
        end = start - 1
      }
      return found.toReversed()
    },
  }
}

function shorten(line: string): string {
  return line.length > shownLineLengthMax ? `${line.slice(0, shownLineLengthMax)}…` : line
}
