/** Both ends of a line that is too long to keep. The tail is known once the line has ended. */
export interface OversizedLine {
  readonly head: string
  readonly tail: string | undefined
}

export interface LineSplitter {
  push(chunk: Buffer): void
  /** What came after the last newline, once no more will come. */
  flush(): void
}

const newline = 0x0a
/** Enough to find the id of an answer, which stands at its start or at its end. */
const keptOfOversizedBytes = 4 * 1024

/** Cuts a stream of bytes into lines and holds no more of one than `lineBytesMax`. */
export function createLineSplitter(options: {
  lineBytesMax: number
  onLine: (line: string) => void
  /** Called as soon as a line is too long, and again at its end unless the first call returned true. */
  onOversized: (line: OversizedLine) => boolean
}): LineSplitter {
  let parts: Buffer[] = []
  let bytes = 0
  let head: string | undefined
  let tail = Buffer.alloc(0)
  let isHandled = false

  function add(part: Buffer) {
    bytes += part.length
    if (head !== undefined) {
      tail = Buffer.concat([tail, part.subarray(-keptOfOversizedBytes)]).subarray(-keptOfOversizedBytes)
      return
    }
    parts.push(part)
    if (bytes <= options.lineBytesMax) return
    const held = Buffer.concat(parts)
    head = held.subarray(0, keptOfOversizedBytes).toString()
    // A copy: a view would keep the whole line in memory.
    tail = Buffer.from(held.subarray(-keptOfOversizedBytes))
    parts = []
    isHandled = options.onOversized({ head, tail: undefined })
  }

  function end() {
    const line = { bytes, head, tail, parts, isHandled }
    parts = []
    bytes = 0
    head = undefined
    tail = Buffer.alloc(0)
    if (line.head !== undefined) {
      if (!line.isHandled) options.onOversized({ head: line.head, tail: line.tail.toString() })
    } else if (line.bytes > 0) options.onLine(Buffer.concat(line.parts).toString())
  }

  return {
    push(chunk) {
      let start = 0
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
        add(chunk.subarray(start, at))
        end()
        start = at + 1
      }
      if (start < chunk.length) add(chunk.subarray(start))
    },
    flush: end,
  }
}
