/** As libuv puts a signal into its pipe: an address, the number, and room to the next address. */
export function toSignalRecord(signal: number): Buffer {
  const record = Buffer.alloc(16)
  record.writeInt32LE(signal, 8)
  return record
}
