import { createHash } from 'node:crypto'
import type { TextFile } from '../workspace.ts'
import { toLfText } from './text-lines.ts'

export const missingVersion = 'missing'

/** Identifies the text of a file. Line endings do not count, because editors differ in how they give them. */
export function versionOf(file: Pick<TextFile, 'text'> | undefined): string {
  return file === undefined ? missingVersion : createHash('sha1').update(toLfText(file.text).text).digest('base64')
}
