import { constants, copyFileSync, lstatSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { OstlerError } from '@ostler/agent-api'
import { replaceTextFile, toSystemReason } from '@ostler/agent-api/internal'

const fileBytesMax = 4 * 1024 * 1024

/** Undefined if there is no file. Follows links, but not to a file that is missing. */
export function readSettings(file: string): string | undefined {
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined
    const found = statSync(file)
    if (!found.isFile()) throw new Error('it is not a regular file')
    if (found.size > fileBytesMax) throw new Error('it is too large for a settings file')
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not UTF-8 text' : toSystemReason(error)
    throw new OstlerError('editor.unusable', `${file} cannot be read: ${reason}. Nothing was written.`, {
      cause: error,
    })
  }
}

/** Replaces a settings file atomically, and keeps a copy of the old one beside it. Returns the path of the copy. */
export async function writeSettings(
  file: string,
  after: string,
  before: string | undefined,
): Promise<string | undefined> {
  let backup: string | undefined
  try {
    if (before !== undefined) backup = copyBeside(realpathSync(file))
    await replaceTextFile(file, after, async () => {
      if (readSettings(file) !== before)
        throw new Error('it has changed in the meantime. Run the command again')
    })
    return backup
  } catch (error) {
    if (backup !== undefined) rmSync(backup, { force: true })
    throw new OstlerError('editor.unwritable', `${file} was not changed: ${toSystemReason(error)}.`, {
      cause: error,
    })
  }
}

function copyBeside(file: string): string {
  const backup = `${file}.${new Date().toISOString().replace(/\D/g, '').slice(0, 17)}.bak`
  try {
    copyFileSync(file, backup, constants.COPYFILE_EXCL)
    return backup
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(backup, { force: true })
    throw error
  }
}
