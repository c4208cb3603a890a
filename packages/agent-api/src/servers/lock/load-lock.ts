import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { OstlerError, messageOf, toSystemReason } from '../../base/errors.ts'
import { parseServerLock, type ServerLock } from './server-lock.ts'

export const lockFileName = 'ostler.lock'

const lockBytesMax = 1024 * 1024

/** Undefined without a file. Throws `lock.invalid` for one that cannot be used, whatever it is. */
export function loadLock(path: string): ServerLock | undefined {
  let text: string
  try {
    text = readText(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new OstlerError('lock.invalid', `${path} cannot be read: ${toSystemReason(error)}.`)
  }
  try {
    return parseServerLock(text)
  } catch (error) {
    throw new OstlerError('lock.invalid', `${path}: ${messageOf(error)}.`)
  }
}

/** Reads no more than it may, because a stranger's folder may have anything of this name. */
function readText(path: string): string {
  // Non-blocking, because opening a pipe would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is not a regular file')
    const bytes = Buffer.allocUnsafe(lockBytesMax + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, length)
    if (length > lockBytesMax) throw new Error('it is larger than 1 MiB')
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(file)
  }
}
