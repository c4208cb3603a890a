import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { OstlerError } from '@ostler/agent-api'
import { replaceTextFile, toSystemReason } from '@ostler/agent-api/internal'

/** Writes a file for this user alone and returns its path. Fails if it exists, unless `replace` is set. */
export async function writeNewFile(
  file: string,
  content: string | Uint8Array,
  replace: boolean,
): Promise<string> {
  try {
    await writeWholeFile(file, content, replace)
    return file
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    const message = isThere
      ? `${file} already exists. Use --force to replace it.`
      : `${file} cannot be written: ${toSystemReason(error)}.`
    throw new OstlerError('output.unwritable', message, { cause: error })
  }
}

/** Like `writeNewFile`, but throws the error of the system. A full disk leaves no partial file, and an earlier file stays as it was. */
export async function writeWholeFile(
  file: string,
  content: string | Uint8Array,
  replace: boolean,
): Promise<void> {
  const before = replace ? statSync(file, { throwIfNoEntry: false }) : undefined
  if (before === undefined) return writeFirst(file, content)
  // A device or a pipe is written to, not replaced.
  if (!before.isFile()) return writeFileSync(file, content)
  await replaceTextFile(file, content)
  chmodSync(file, 0o600)
}

function writeFirst(file: string, content: string | Uint8Array): void {
  writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  try {
    writeFileSync(file, content)
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  }
}
