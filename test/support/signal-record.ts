/** A record as libuv writes it to its signal pipe: an address, the number, and padding. */
export function toSignalRecord(signal: number): Buffer {
  const record = Buffer.alloc(16)
  record.writeInt32LE(signal, 8)
  return record
}
