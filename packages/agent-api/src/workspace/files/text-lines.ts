import type { LineEndings } from '../workspace.ts'

/** The lines of a text, found by offset. Lines end with LF or CRLF. */
export interface TextLines {
  /** The offset at which each line starts. */
  readonly starts: ArrayLike<number>
  /** The number of the line at an offset, counted from 1. */
  lineAt(offset: number): number
}

const lineFeed = 0x0a

export function createTextLines(text: string): TextLines {
  // Faster than `indexOf` where lines are short, and never slow. Millions of offsets in an array would keep the garbage collector busy.
  let count = 1
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === lineFeed) count++
  const starts = new Uint32Array(count)
  let line = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === lineFeed) starts[++line] = at + 1
  return { starts, lineAt: (offset) => countUpTo(starts, offset) }
}

/** The number of values that are not above the limit. The values are sorted. */
export function countUpTo(sorted: ArrayLike<number>, limit: number): number {
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
  const hasCrlf = text.includes('\r\n')
  const hasLf = /(?<!\r)\n/.test(text)
  if (hasLf && hasCrlf) return 'mixed'
  return hasCrlf ? 'crlf' : hasLf ? 'lf' : 'none'
}

/** `replaceAll` would return a chain of all its pieces, which takes several times as long. */
export function toLf(text: string): string {
  return text.includes('\r\n') ? text.split('\r\n').join('\n') : text
}

/** A text with LF only, and the way back to the offsets of the original. */
export interface LfText {
  readonly text: string
  toOriginal(offset: number): number
}

export function toLfText(text: string): LfText {
  if (!text.includes('\r\n')) return { text, toOriginal: (offset) => offset }
  const lf = toLf(text)
  /** The offsets of the line ends that were CRLF. */
  const ends = new Uint32Array(text.length - lf.length)
  let count = 0
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) ends[count] = at - count++
  return { text: lf, toOriginal: (offset) => offset + countUpTo(ends, offset - 1) }
}

/**
 * Converts line ends to those that the text has at an offset: of the next line, otherwise of the line before. Offsets ascend: neither a very
 * long line nor a long text is searched again for each place.
 */
export function createEndingsFit(text: string): (offset: number, added: string) => string {
  let lineEnd = -1
  let isCrlf = false
  let last = ''
  let lf = ''
  let crlf: string | undefined
  return (offset, added) => {
    if (added !== last) {
      last = added
      lf = toLf(added)
      // A text without line ends is the same in both.
      crlf = lf.includes('\n') ? undefined : lf
    }
    if (crlf === lf) return lf
    if (lineEnd < offset) {
      const next = text.indexOf('\n', offset)
      isCrlf = text[(next === -1 ? text.lastIndexOf('\n') : next) - 1] === '\r'
      lineEnd = next === -1 ? text.length : next
    }
    if (!isCrlf) return lf
    return (crlf ??= lf.replaceAll('\n', '\r\n'))
  }
}
