import { readFileSync, statSync } from 'node:fs'
import { OstlerError, type ErrorCode } from './errors.ts'
import { toSystemReason } from './system-reason.ts'

/** Reads a file that a person named. Throws an error with the given code. `what` is the kind of file. */
export function loadTextFile(
  file: string,
  { bytesMax, what, code }: { bytesMax: number; what: string; code: ErrorCode },
): string {
  try {
    if (statSync(file).size > bytesMax) throw new Error(`it is too large for ${what}`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new OstlerError(code, `${file} cannot be read: ${toSystemReason(error)}.`, { cause: error })
  }
}
