const capacityBytesMin = 64 * 1024

/**
 * Bytes that wait for the rest of a message. One growing buffer instead of a list of chunks: data that arrives byte by byte must not cost
 * an object per byte.
 */
export function createByteBuffer() {
  let bytes = Buffer.alloc(0)
  let length = 0
  return {
    get length(): number {
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
    /** Returns the kept bytes followed by `chunk`, and empties the buffer. */
    takeWith(chunk: Uint8Array): Buffer {
      if (length === 0) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
      const taken = Buffer.concat([bytes.subarray(0, length), chunk])
      bytes = Buffer.alloc(0)
      length = 0
      return taken
    },
  }
}
