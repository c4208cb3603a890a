import { giveWay } from '../../base/in-slices.ts'
import type { LineEndings } from '../workspace.ts'

const partChars = 64 * 1024

/** The parts of a long text, for work in slices. No line end and no character is divided. */
export function* partsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + partChars, text.length)
    if (/^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(end - 1, end + 1))) end++
    yield text.slice(start, end)
    start = end
  }
}

/** The lines of a text, found by offset. Lines end with LF or CRLF. */
export interface TextLines {
  /** The offset at which each line starts. */
  readonly starts: ArrayLike<number>
  /** The number of the line at an offset, counted from 1. */
  lineAt(offset: number): number
}

export async function createTextLines(text: string): Promise<TextLines> {
  const starts = createOffsets()
  starts.add(0)
  let before = 0
  for (const part of partsOf(text)) {
    await giveWay()
    for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) starts.add(before + at + 1)
    before += part.length
  }
  const all = starts.list()
  return { starts: all, lineAt: (offset) => countUpTo(all, offset) }
}

/** A growing list of offsets. Millions of them in an array would keep the garbage collector busy. */
function createOffsets() {
  let kept = new Uint32Array(1024)
  let count = 0
  return {
    add(offset: number) {
      if (count === kept.length) {
        const more = new Uint32Array(2 * count)
        more.set(kept)
        kept = more
      }
      kept[count++] = offset
    },
    count: () => count,
    list: (): ArrayLike<number> => kept.subarray(0, count),
  }
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

export async function endingsOf(text: string): Promise<LineEndings> {
  let hasLf = false
  let hasCrlf = false
  for (const part of partsOf(text)) {
    await giveWay()
    hasCrlf ||= part.includes('\r\n')
    hasLf ||= /(?<!\r)\n/.test(part)
    if (hasLf && hasCrlf) break
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

export async function toLfText(text: string): Promise<LfText> {
  if (!text.includes('\r\n')) return { text, hasCrlf: false, toOriginal: (offset) => offset }
  /** The offsets of the line ends that were CRLF. */
  const ends = createOffsets()
  const parts: string[] = []
  let before = 0
  for (const part of partsOf(text)) {
    await giveWay()
    for (let at = part.indexOf('\r\n'); at !== -1; at = part.indexOf('\r\n', at + 2)) ends.add(before + at - ends.count())
    // The result of `replaceAll` is a chain of all its pieces, and joining a million pieces would block.
    parts.push(part.split('\r\n').join('\n'))
    before += part.length
  }
  const all = ends.list()
  return { text: parts.join(''), hasCrlf: true, toOriginal: (offset) => offset + countUpTo(all, offset - 1) }
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
