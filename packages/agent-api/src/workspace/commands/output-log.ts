import type { CommandOutput, OutputPiece } from '../workspace.ts'
import { openSpool, type Spool } from './spool.ts'

/** The output of one command. Bounded: its end is in memory, and more of it in a file without a name. */
export interface OutputLog extends CommandOutput, AsyncDisposable {
  append(chunk: Uint8Array): void
  /** Set while the disk is behind: the writer must wait for it. */
  readonly congestion: Promise<void> | undefined
}

const tailBytesMax = 256 * 1024

export function createOutputLog(): OutputLog {
  const tail = Buffer.alloc(tailBytesMax)
  const listeners = new Set<() => void>()
  let size = 0
  let spool: Spool | undefined

  function append(chunk: Uint8Array): void {
    if (size + chunk.length > tailBytesMax) {
      // A short output never touches the disk.
      spool ??= openSpool(tailOf(0, size))
      spool.append(chunk)
    }
    const kept = chunk.subarray(Math.max(0, chunk.length - tailBytesMax))
    const at = (size + chunk.length - kept.length) % tailBytesMax
    const beforeWrap = Math.min(kept.length, tailBytesMax - at)
    tail.set(kept.subarray(0, beforeWrap), at)
    tail.set(kept.subarray(beforeWrap), 0)
    size += chunk.length
    for (const listener of listeners) listener()
  }

  /** A copy. Both positions must be in memory. */
  function tailOf(from: number, to: number): Buffer {
    const at = from % tailBytesMax
    const length = to - from
    if (at + length <= tailBytesMax) return Buffer.from(tail.subarray(at, at + length))
    return Buffer.concat([tail.subarray(at), tail.subarray(0, at + length - tailBytesMax)])
  }

  async function read(from: number, to: number): Promise<OutputPiece> {
    const end = Math.min(Math.max(to, 0), size)
    const tailStart = Math.max(0, size - tailBytesMax)
    if (from < tailStart && spool !== undefined) {
      const piece = await spool.read(Math.max(from, 0), end)
      if (piece !== undefined) return wholeCharacters(piece.bytes, piece.start)
    }
    // Waiting for the disk may have taken so long that the beginning has also left the memory.
    const start = Math.min(Math.max(from, size - tailBytesMax, 0), Math.max(end, size - tailBytesMax, 0))
    return wholeCharacters(tailOf(start, Math.max(start, end)), start)
  }

  return {
    append,
    get congestion() {
      return spool?.congestion
    },
    size: () => Promise.resolve(size),
    read,
    onChange(listener) {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    async [Symbol.asyncDispose]() {
      listeners.clear()
      await spool?.[Symbol.asyncDispose]()
    },
  }
}

const continuationsMax = 3

/** Leaves out the parts of a character that was cut at the beginning or at the end. */
function wholeCharacters(bytes: Buffer, start: number): OutputPiece {
  let first = 0
  if (start > 0) while (first < continuationsMax && isContinuation(bytes[first])) first++
  const last = bytes.length - openCharacterBytes(bytes)
  const kept = bytes.subarray(first, Math.max(first, last))
  return { start: start + first, end: start + first + kept.length, text: kept.toString('utf8') }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

/** Number of bytes at the end that belong to a character whose rest is missing. */
function openCharacterBytes(bytes: Buffer): number {
  for (let length = 1; length <= Math.min(continuationsMax, bytes.length); length++) {
    const byte = bytes[bytes.length - length] ?? 0
    if (isContinuation(byte)) continue
    const expected = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return expected > length ? length : 0
  }
  return 0
}
