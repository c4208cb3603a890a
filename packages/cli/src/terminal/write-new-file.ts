import { chmodSync, writeFileSync } from 'node:fs'
import { OstlerError } from '@ostler/agent-api'
import { toSystemReason } from '@ostler/agent-api/internal'

/** Writes a file for this user alone and returns its path. Fails if it exists, unless `replace` is set. */
export function writeNewFile(file: string, content: string | Uint8Array, replace: boolean): string {
  try {
    writeFileSync(file, content, { flag: replace ? 'w' : 'wx', mode: 0o600 })
    if (replace) chmodSync(file, 0o600)
    return file
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    const message = isThere ? `${file} already exists. Use --force to replace it.` : `${file} cannot be written: ${toSystemReason(error)}.`
    throw new OstlerError('output.unwritable', message, { cause: error })
  }
}
