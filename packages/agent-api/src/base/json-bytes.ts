/** Estimated overhead of one value, not counting its text. */
const valueBytes = 8

/** Estimates the size of a JSON value in bytes. Stops counting once the sum exceeds `bytesMax`. */
export function jsonBytes(value: unknown, bytesMax: number): number {
  let bytes = valueBytes
  const waiting = [value]
  while (waiting.length > 0 && bytes <= bytesMax) {
    const next = waiting.pop()
    if (typeof next === 'string') bytes += Buffer.byteLength(next)
    if (typeof next !== 'object' || next === null) continue
    const inner: readonly unknown[] = Array.isArray(next) ? next : Object.values(next)
    bytes += inner.length * valueBytes
    if (bytes > bytesMax) break
    if (inner !== next) for (const key of Object.keys(next)) bytes += Buffer.byteLength(key)
    for (const each of inner) waiting.push(each)
  }
  return bytes
}
