import { createByteBuffer } from '@ostler/agent-api'

/** The SDK's own limit, and the largest message an editor can reasonably mean. */
export const lineBytesMax = 32 * 1024 * 1024

const newline = 0x0a

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
