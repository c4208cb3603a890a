import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { OstlerError, toSystemReason } from '../base/errors.ts'

/** A larger file cannot be an agent file, and would take minutes to parse. */
const fileBytesMax = 1024 * 1024

/** Reads an agent file. Returns undefined if it does not exist. Throws `config.unreadable`. */
export async function readAgentText(path: string): Promise<string | undefined> {
  try {
    // Non-blocking, because opening a pipe would wait for a writer, and reading a device may never end.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = await file.stat()
    if (stats.size > fileBytesMax) throw new Error('it is larger than 1 MiB')
    if (stats.isFile() || stats.isDirectory()) return await file.readFile('utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw unreadable(path, toSystemReason(error), error)
  }
  throw unreadable(path, 'it is not a regular file')
}

export function unreadable(path: string, reason: string, cause?: unknown): OstlerError {
  return new OstlerError('config.unreadable', `The agent file ${path} cannot be read: ${reason}.`, { cause })
}
