import { setImmediate as turnOfOthers } from 'node:timers/promises'

/**
 * Reads whatever has arrived of a body as one piece, because each small write of a sender would cost a read.
 * From `bytesMax` on, reading waits until the piece is taken. The returned function waits for a piece, and
 * lets other work run before it returns. Undefined at the end of the body.
 */
export function createArrivals(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  bytesMax: number,
): () => Promise<Uint8Array | undefined> {
  const arrived: Uint8Array[] = []
  let bytes = 0
  let news = Promise.withResolvers<void>()
  let isReading = false
  let end: { readonly error?: unknown } | undefined

  return async () => {
    if (!isReading && end === undefined) void readOn()
    await news.promise
    await turnOfOthers()
    if (end === undefined) news = Promise.withResolvers()
    else if ('error' in end) throw end.error
    const chunks = arrived.splice(0)
    bytes = 0
    return chunks.length > 1 ? Buffer.concat(chunks) : chunks[0]
  }

  async function readOn(): Promise<void> {
    isReading = true
    try {
      while (end === undefined && bytes < bytesMax) {
        const { done, value } = await reader.read()
        if (done) end = {}
        else {
          arrived.push(value)
          bytes += value.length
        }
        news.resolve()
      }
    } catch (error) {
      end = { error }
      news.resolve()
    }
    isReading = false
  }
}
