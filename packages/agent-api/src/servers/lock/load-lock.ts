import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { messageOf, OstlerError, toSystemReason } from '../../base/errors.ts'
import { parseServerLock, type ServerLock } from './server-lock.ts'

export const lockFileName = 'ostler.lock'

const lockBytesMax = 1024 * 1024

/** Undefined without a file, and for an empty one, which a fence puts in its place while a program runs. Throws `lock.invalid` for one that cannot be used, whatever a stranger's folder has of this name. */
export function loadLock(path: string): ServerLock | undefined {
  try {
    // Non-blocking, because opening a pipe would wait for a writer.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(file)
      if (!stats.isFile() || stats.size > lockBytesMax) throw new Error('it is not a file of at most 1 MiB')
      const text = readFileSync(file, 'utf8')
      return text === '' ? undefined : parseServerLock(text)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    const reason = error instanceof OstlerError ? messageOf(error) : toSystemReason(error)
    throw new OstlerError('lock.invalid', `The lock ${path} cannot be used: ${reason}.`)
  }
}
