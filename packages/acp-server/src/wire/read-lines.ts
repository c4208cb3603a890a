import { createByteBuffer, createValueCounter, formatBytes } from '@ostler/agent-api/internal'

/** Enough for the largest picture that a vendor takes, in base64. */
const lineBytesMax = 8 * 1024 * 1024
/** JSON values of a line. Millions of small ones cost much more memory than their bytes. */
const lineValuesMax = 50_000
/** A function, because formatting numbers takes Node 10 ms the first time, and a start needs no such text. */
export function lineLimits(): string {
  return `${formatBytes(lineBytesMax)} and ${lineValuesMax.toLocaleString('en')} JSON values`
}

const newline = 0x0a

/** Bytes kept of an oversize line: enough to recognize it. */
const headBytes = 256

export type Line =
  | { readonly type: 'line'; readonly bytes: Uint8Array }
  | { readonly type: 'oversize'; readonly head: Uint8Array }

/**
 * Splits a byte stream at newlines. A line with too many bytes or values is reported once, as soon as it exceeds the limit, and then
 * skipped. The rest after the last newline is also a line.
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  bytesMax: number = lineBytesMax,
): AsyncGenerator<Line> {
  const pending = createByteBuffer()
  const values = createValueCounter()
  let skipping = false
  const isOversize = (part: Uint8Array) => {
    values.add(part, 0, part.length)
    return pending.length + part.length > bytesMax || values.count > lineValuesMax
  }
  const oversize = (part: Uint8Array): Line => {
    return { type: 'oversize', head: pending.takeWith(part.subarray(0, headBytes)).subarray(0, headBytes) }
  }
  for await (const chunk of input) {
    let rest = chunk
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      const head = rest.subarray(0, end)
      rest = rest.subarray(end + 1)
      if (!skipping) yield isOversize(head) ? oversize(head) : { type: 'line', bytes: pending.takeWith(head) }
      skipping = false
      values.reset()
    }
    if (skipping) continue
    skipping = isOversize(rest)
    if (skipping) yield oversize(rest)
    else pending.append(rest)
  }
  if (pending.length > 0) yield { type: 'line', bytes: pending.takeWith(new Uint8Array(0)) }
}
