import { createHash } from 'node:crypto'
import type { TextFile } from '../workspace.ts'
import { endingsOf, toLfText } from './text-lines.ts'

export const missingVersion = 'missing'

/** Hashing a long text takes a while, and a file that was just written is asked for twice. */
const known = new WeakMap<object, string>()

/** Identifies the text of a file. Of line endings, only the kind on the disk counts: editors differ in how they give each of them. */
export function versionOf(file: Omit<TextFile, 'form'> | undefined): string {
  if (file === undefined) return missingVersion
  const { text, endings = endingsOf(text) } = file
  const version = known.get(file) ?? `${endings} ${createHash('sha1').update(toLfText(text).text).digest('base64')}`
  known.set(file, version)
  return version
}
