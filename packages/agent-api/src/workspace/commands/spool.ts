import { randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A long output on disk. The file has no name where the system allows that, so nobody else can open it, and it is gone with this process,
 * however that ends.
 */
export interface Spool extends AsyncDisposable {
  append(chunk: Uint8Array): void
  /** Undefined if the disk failed. */
  read(from: number, to: number): Promise<{ readonly start: number; readonly bytes: Buffer } | undefined>
  /** Set while too much is waiting to be written. */
  readonly congestion: Promise<void> | undefined
}

/** Longer outputs overwrite their own beginning. */
const fileBytesMax = 64 * 1024 * 1024
const waitingBytesMax = 4 * 1024 * 1024

export function openSpool(beginning: Uint8Array): Spool {
  let size = 0
  let written = 0
  let hasFailed = false
  let work: Promise<void> = Promise.resolve()
  const opening = openNameless()
  // The next read or write gets the error.
  opening.catch(() => undefined)

  function append(chunk: Uint8Array): void {
    if (hasFailed) return
    const at = size
    size += chunk.length
    work = work.then(async () => {
      if (!hasFailed) await write(await opening, chunk, at)
      written = at + chunk.length
    })
    work = work.catch(() => {
      hasFailed = true
    })
  }

  append(beginning)
  return {
    append,
    async read(from, to) {
      await work
      const start = Math.max(from, written - fileBytesMax)
      if (hasFailed || start >= to) return undefined
      const bytes = await readAt(await opening, start, to - start).catch(() => undefined)
      // It was overwritten during the read.
      return bytes === undefined || start < written - fileBytesMax ? undefined : { start, bytes }
    },
    get congestion() {
      return !hasFailed && size - written > waitingBytesMax ? work : undefined
    },
    async [Symbol.asyncDispose]() {
      hasFailed = true
      await work
      await opening.then((file) => file.close()).catch(() => undefined)
    },
  }
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `ostler-output-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  // Windows cannot remove the name of an open file.
  await unlink(path).catch(() => undefined)
  return file
}

async function write(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  const rest = chunk.subarray(Math.max(0, chunk.length - fileBytesMax))
  let at = (position + chunk.length - rest.length) % fileBytesMax
  for (let left = rest; left.length > 0;) {
    const { bytesWritten } = await file.write(left, 0, Math.min(left.length, fileBytesMax - at), at)
    left = left.subarray(bytesWritten)
    at = (at + bytesWritten) % fileBytesMax
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const at = (position + done) % fileBytesMax
    const { bytesRead } = await file.read(bytes, done, Math.min(length - done, fileBytesMax - at), at)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}
