/** The SDK's own limit, and the largest message an editor can reasonably mean. */
export const lineBytesMax = 32 * 1024 * 1024

const newline = 0x0a
const capacityBytesMin = 64 * 1024

/** Of a line that is too long, enough to see what it was. */
const headBytes = 256

export type Line = { readonly type: 'line'; readonly bytes: Uint8Array } | { readonly type: 'oversize'; readonly head: Uint8Array }

/**
 * Cuts a byte stream at newlines. A line over the limit is reported once, as soon as it is known to be too long, and skipped without
 * being kept. What follows the last newline is a line too.
 */
export async function* readLines(input: AsyncIterable<Uint8Array>, bytesMax: number = lineBytesMax): AsyncGenerator<Line> {
  const pending = createByteBuffer()
  let skipping = false
  for await (const chunk of input) {
    let rest = chunk
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      const head = rest.subarray(0, end)
      rest = rest.subarray(end + 1)
      if (skipping) {
        skipping = false
      } else if (pending.length + head.length > bytesMax) {
        yield { type: 'oversize', head: pending.takeWith(head.subarray(0, headBytes)).subarray(0, headBytes) }
      } else {
        yield { type: 'line', bytes: pending.takeWith(head) }
      }
    }
    if (skipping) continue
    if (pending.length + rest.length > bytesMax) {
      skipping = true
      yield { type: 'oversize', head: pending.takeWith(rest.subarray(0, headBytes)).subarray(0, headBytes) }
    } else {
      pending.append(rest)
    }
  }
  if (pending.length > 0) yield { type: 'line', bytes: pending.takeWith(new Uint8Array(0)) }
}

/** One growing buffer instead of a list of chunks: a line that arrives byte by byte must not cost an object per byte. */
function createByteBuffer() {
  let bytes = Buffer.alloc(0)
  let length = 0
  return {
    get length() {
      return length
    },
    append(chunk: Uint8Array): void {
      if (length + chunk.length > bytes.length) {
        const grown = Buffer.allocUnsafe(Math.max(capacityBytesMin, 2 * (length + chunk.length)))
        bytes.copy(grown, 0, 0, length)
        bytes = grown
      }
      bytes.set(chunk, length)
      length += chunk.length
    },
    /** The kept bytes and these, as one; nothing is kept afterwards. */
    takeWith(chunk: Uint8Array): Uint8Array {
      if (length === 0) return chunk
      const line = Buffer.concat([bytes.subarray(0, length), chunk])
      this.clear()
      return line
    },
    clear(): void {
      length = 0
      bytes = Buffer.alloc(0)
    },
  }
}
