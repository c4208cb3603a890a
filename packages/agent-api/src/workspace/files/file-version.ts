import { hash } from 'node:crypto'
import type { TextFile } from '../workspace.ts'
import { endingsOf, toLf } from './text-lines.ts'

export const missingVersion = 'missing'

/** Identifies the text of a file. Of line endings, only the kind on the disk counts: editors differ in how they give each of them. */
export function versionOf(file: Omit<TextFile, 'form'> | undefined): string {
  if (file === undefined) return missingVersion
  return `${file.endings ?? endingsOf(file.text)} ${hash('sha1', toLf(file.text), 'base64')}`
}
