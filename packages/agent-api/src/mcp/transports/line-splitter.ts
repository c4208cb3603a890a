import { createByteBuffer } from '../../base/byte-buffer.ts'

/** Both ends of a line that is too long to keep. `tail` is undefined until the line has ended. */
export interface OversizedLine {
  readonly head: string
  readonly tail: string | undefined
}

export interface LineSplitter {
  push(chunk: Buffer): void
  /** Processes the rest after the last newline, at the end of the stream. */
  flush(): void
}

const newline = 0x0a
/** Enough to find the id of an answer, which is at its start or end. */
const keptOfOversizedBytes = 4 * 1024

/** Splits a byte stream into lines. Holds at most `lineBytesMax` bytes of a line. */
export function createLineSplitter(options: {
  lineBytesMax: number
  onLine: (line: string) => void
  /** Called as soon as a line is too long. Called again at its end, unless the first call returned true. */
  onOversized: (line: OversizedLine) => boolean
}): LineSplitter {
  const held = createByteBuffer()
  let oversized: { readonly head: string; tail: Buffer; readonly isHandled: boolean } | undefined

  const hasRoomFor = (part: Buffer) => oversized === undefined && held.length + part.length <= options.lineBytesMax

  function keep(part: Buffer) {
    if (hasRoomFor(part)) return held.append(part)
    if (oversized !== undefined) {
      oversized.tail = Buffer.concat([oversized.tail, part.subarray(-keptOfOversizedBytes)]).subarray(-keptOfOversizedBytes)
      return
    }
    const bytes = held.takeWith(part)
    const head = bytes.subarray(0, keptOfOversizedBytes).toString()
    // Copy the bytes: a view would keep the whole line in memory.
    const tail = Buffer.from(bytes.subarray(-keptOfOversizedBytes))
    oversized = { head, tail, isHandled: options.onOversized({ head, tail: undefined }) }
  }

  function end(part: Buffer) {
    if (hasRoomFor(part)) {
      const line = held.takeWith(part)
      if (line.length > 0) options.onLine(line.toString())
      return
    }
    keep(part)
    const line = oversized
    oversized = undefined
    if (line?.isHandled === false) options.onOversized({ head: line.head, tail: line.tail.toString() })
  }

  return {
    push(chunk) {
      let start = 0
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
        end(chunk.subarray(start, at))
        start = at + 1
      }
      if (start < chunk.length) keep(chunk.subarray(start))
    },
    flush: () => end(Buffer.alloc(0)),
  }
}
