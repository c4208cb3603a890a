import type { LineEndings } from '../workspace.ts'

/** The lines of a text, found by offset. Lines end with LF or CRLF. */
export interface TextLines {
  /** The offset at which each line starts. */
  readonly starts: readonly number[]
  /** The number of the line at an offset, counted from 1. */
  lineAt(offset: number): number
}

export function createTextLines(text: string): TextLines {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return { starts, lineAt: (offset) => countUpTo(starts, offset) }
}

/** The number of values that are not above the limit. The values are sorted. */
export function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

export function endingsOf(text: string): LineEndings {
  let hasLf = false
  let hasCrlf = false
  for (let at = text.indexOf('\n'); at !== -1 && !(hasLf && hasCrlf); at = text.indexOf('\n', at + 1)) {
    if (at > 0 && text[at - 1] === '\r') hasCrlf = true
    else hasLf = true
  }
  if (hasLf && hasCrlf) return 'mixed'
  return hasCrlf ? 'crlf' : hasLf ? 'lf' : 'none'
}

/** A text with LF only, and the way back to the offsets of the original. */
export interface LfText {
  readonly text: string
  readonly hasCrlf: boolean
  toOriginal(offset: number): number
}

export function toLfText(text: string): LfText {
  if (!text.includes('\r\n')) return { text, hasCrlf: false, toOriginal: (offset) => offset }
  /** The offsets of the line ends that were CRLF. */
  const ends: number[] = []
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) ends.push(at - ends.length)
  return { text: text.replaceAll('\r\n', '\n'), hasCrlf: true, toOriginal: (offset) => offset + countUpTo(ends, offset - 1) }
}

/** Converts line ends to those that the text has at an offset: of the next line, otherwise of the line before. */
export function withEndingsOf(text: string, offset: number, added: string): string {
  const lf = added.replaceAll('\r\n', '\n')
  // The next line end of a very long line is far away.
  if (!lf.includes('\n')) return lf
  const next = text.indexOf('\n', offset)
  const end = next === -1 ? text.lastIndexOf('\n', offset) : next
  return end > 0 && text[end - 1] === '\r' ? lf.replaceAll('\n', '\r\n') : lf
}
