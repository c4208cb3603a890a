import type { CleanText } from '../../base/clean-text.ts'
import { createTextDecoder, formOf } from '../disk/text-encoding.ts'
import { readStart, type OpenFile } from '../disk/open-file.ts'
import { notDecodable } from './workspace-files.ts'

/** Limits on one result. The result says what was left out. */
const resultCharsMax = 60_000
const lineCharsMax = 2_000
const pieceBytes = 256 * 1024

export interface ReadLines {
  readonly lines: readonly string[]
  readonly total: number
  readonly hasMore: boolean
}

/** Picks lines out of a text that arrives in pieces, and counts them all. */
export interface LineReader {
  push(piece: string): void
  end(): void
  read(): ReadLines
}

export function createLineReader(from: number, limit: number, clean: CleanText): LineReader {
  const lines: string[] = []
  let chars = 0
  let ended = 0
  let isFull = false
  /** The beginning of the line that is not complete yet, and its length. */
  let open = ''
  let openLength = 0

  function endLine(): void {
    const hasReturn = open.endsWith('\r') && open.length === openLength
    const length = hasReturn ? openLength - 1 : openLength
    ended++
    if (ended >= from && !isFull) {
      const shown =
        length > lineCharsMax
          ? `${clean(open.slice(0, lineCharsMax), true)}[… ${length - lineCharsMax} more characters]`
          : open.slice(0, length)
      isFull = lines.length >= limit || (lines.length > 0 && chars + shown.length > resultCharsMax)
      if (!isFull) lines.push(shown)
      chars += shown.length
    }
    open = ''
    openLength = 0
  }

  function take(part: string): void {
    if (open.length <= lineCharsMax) open += part.slice(0, lineCharsMax + 1 - open.length)
    openLength += part.length
  }

  return {
    push(piece) {
      let start = 0
      for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', start)) {
        const isShown = !isFull && ended + 1 >= from
        if (isShown) take(piece.slice(start, at))
        endLine()
        start = at + 1
      }
      take(piece.slice(start))
    },
    end() {
      if (openLength > 0) endLine()
    },
    read: () => ({ lines, total: ended, hasMore: lines.length > 0 && from + lines.length <= ended }),
  }
}

/** Reads a large file in pieces, so that its size does not matter. */
export async function linesOfFile(
  file: OpenFile,
  shown: string,
  reader: LineReader,
  signal: AbortSignal,
): Promise<void> {
  const form = formOf(await readStart(file, 4))
  const decoder = createTextDecoder(form)
  const buffer = Buffer.allocUnsafe(pieceBytes)
  const { size } = file.stats
  try {
    for (let place = 0; place < size;) {
      signal.throwIfAborted()
      const { bytesRead } = await file.handle.read(buffer, 0, Math.min(pieceBytes, size - place), place)
      if (bytesRead === 0) break
      place += bytesRead
      reader.push(decoder.decode(buffer.subarray(0, bytesRead), { stream: true }))
    }
    reader.push(decoder.decode())
    reader.end()
  } catch (error) {
    if (error instanceof TypeError) throw notDecodable(shown, form)
    throw error
  }
}
