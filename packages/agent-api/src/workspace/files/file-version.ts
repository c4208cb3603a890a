import { createHash } from 'node:crypto'
import type { TextFile } from '../workspace.ts'
import { toLfText } from './text-lines.ts'

export const missingVersion = 'missing'

/** Hashing a long text takes a while, and a file that was just written is asked for twice. */
const known = new WeakMap<object, string>()

/** Identifies the text of a file. Line endings do not count, because editors differ in how they give them. */
export function versionOf(file: Pick<TextFile, 'text'> | undefined): string {
  if (file === undefined) return missingVersion
  const version = known.get(file) ?? createHash('sha1').update(toLfText(file.text).text).digest('base64')
  known.set(file, version)
  return version
}
