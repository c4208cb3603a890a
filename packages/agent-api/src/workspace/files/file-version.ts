import { createHash } from 'node:crypto'
import { giveWay } from '../../base/in-slices.ts'
import type { TextFile } from '../workspace.ts'
import { endingsOf, partsOf } from './text-lines.ts'

export const missingVersion = 'missing'

/** Cached: hashing a long text takes a while, and the version of a file that was just written is needed twice. */
const known = new WeakMap<object, string>()

/** Identifies the text of a file. Of line endings, only the kind on the disk counts: editors differ in how they give each of them. */
export async function versionOf(file: Omit<TextFile, 'form'> | undefined): Promise<string> {
  if (file === undefined) return missingVersion
  const version = known.get(file) ?? (await hashText(file))
  known.set(file, version)
  return version
}

async function hashText({ text, endings }: Omit<TextFile, 'form'>): Promise<string> {
  const hash = createHash('sha1')
  for (const part of partsOf(text)) {
    await giveWay()
    hash.update(part.replaceAll('\r\n', '\n'))
  }
  return `${endings ?? (await endingsOf(text))} ${hash.digest('base64')}`
}
