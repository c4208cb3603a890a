import { createByteBuffer } from '@ostler/agent-api/internal'

/** The SDK's own limit. No editor reasonably sends larger messages. */
export const lineBytesMax = 32 * 1024 * 1024

const newline = 0x0a

/** Bytes kept of an oversize line: enough to recognize it. */
const headBytes = 256

export type Line = { readonly type: 'line'; readonly bytes: Uint8Array } | { readonly type: 'oversize'; readonly head: Uint8Array }

/**
 * Splits a byte stream at newlines. An oversize line is reported once, as soon as it exceeds the limit, and then skipped. The rest after
 * the last newline is also a line.
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
