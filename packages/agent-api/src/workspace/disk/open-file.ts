import { constants, type Stats } from 'node:fs'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { fileError, isMissing, notAFile } from './file-error.ts'

export interface OpenFile extends AsyncDisposable {
  readonly handle: FileHandle
  readonly stats: Stats
}

/** Opens a regular file to read it. Undefined if it does not exist. Never waits: a pipe or a device is refused before it is opened. */
export async function openFile(path: string, shown: string): Promise<OpenFile | undefined> {
  try {
    const before = await stat(path)
    const special = notAFile(shown, before)
    if (special !== undefined) throw special
    // Another program may just have replaced the file by a pipe, so opening does not block either.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = await handle.stat()
    const changed = notAFile(shown, stats)
    if (changed === undefined) return { handle, stats, [Symbol.asyncDispose]: () => handle.close() }
    await handle.close()
    throw changed
  } catch (error) {
    if (isMissing(error)) return undefined
    throw fileError(shown, 'read', error)
  }
}

/** The result is shorter if the file is. */
export async function readStart({ handle }: OpenFile, bytesMax: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytesMax)
  let length = 0
  while (length < bytesMax) {
    const { bytesRead } = await handle.read(buffer, length, bytesMax - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}
