import { createByteBuffer } from '../../base/byte-buffer.ts'
import { formatBytes } from '../../base/quantities.ts'
import { createValueCounter, parsedValuesMax } from '../../base/value-counter.ts'

/** Both ends of a line that is too long to keep. `tail` is undefined until the line has ended. */
export interface OversizedLine {
  /** Completes the sentence "the message …". */
  readonly limit: string
  readonly head: string
  readonly tail: string | undefined
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
}) {
  const { lineBytesMax, onLine, onOversized } = options
  const held = createByteBuffer()
  const values = createValueCounter()
  let oversized:
    | { readonly limit: string; readonly head: string; tail: Buffer; readonly isHandled: boolean }
    | undefined

  function limitOf(part: Buffer): string | undefined {
    values.add(part, 0, part.length)
    if (held.length + part.length > lineBytesMax) return `is over ${formatBytes(lineBytesMax)}`
    return values.count > parsedValuesMax ? `holds more than ${parsedValuesMax} values` : undefined
  }

  /** False if the line is too long. Then only its ends are kept. */
  function hasRoomFor(part: Buffer): boolean {
    if (oversized !== undefined) {
      oversized.tail = Buffer.concat([oversized.tail, part.subarray(-keptOfOversizedBytes)]).subarray(
        -keptOfOversizedBytes,
      )
      return false
    }
    const limit = limitOf(part)
    if (limit === undefined) return true
    const bytes = held.takeWith(part)
    const head = bytes.subarray(0, keptOfOversizedBytes).toString()
    // Copy the bytes: a view would keep the whole line in memory.
    const tail = Buffer.from(bytes.subarray(-keptOfOversizedBytes))
    oversized = { limit, head, tail, isHandled: onOversized({ limit, head, tail: undefined }) }
    return false
  }

  function end(part: Buffer) {
    const isWhole = hasRoomFor(part)
    values.reset()
    if (isWhole) {
      const line = held.takeWith(part)
      if (line.length > 0) onLine(line.toString())
      return
    }
    const line = oversized
    oversized = undefined
    if (line?.isHandled === false)
      onOversized({ limit: line.limit, head: line.head, tail: line.tail.toString() })
  }

  return {
    push(chunk: Buffer): void {
      let start = 0
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
        end(chunk.subarray(start, at))
        start = at + 1
      }
      const rest = chunk.subarray(start)
      if (rest.length > 0 && hasRoomFor(rest)) held.append(rest)
    },
    /** Processes the rest after the last newline, at the end of the stream. */
    flush: () => end(Buffer.alloc(0)),
  }
}
