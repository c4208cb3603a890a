import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { mapInSlices } from '../base/in-slices.ts'
import { isInside } from '../base/is-inside.ts'
import { isSecretPath } from '../base/sensitive-path.ts'

export interface HardLinks {
  /** The number of other names of the file. What is written under one name changes under all. */
  readonly others: number
  /** True if another name, in the file's folder or above, is that of a file with secrets. */
  readonly holdSecret: boolean
}

/** The other names of a file. They may be anywhere on the disk, so only their number is known for certain. */
export async function hardLinksOf(real: string, roots: readonly string[]): Promise<HardLinks> {
  const file = await stat(real).catch(() => undefined)
  if (file === undefined || !file.isFile() || file.nlink < 2) return { others: 0, holdSecret: false }
  for (let folder = dirname(real); roots.some((root) => isInside(folder, root)); folder = dirname(folder)) {
    if (await hasSecretName(folder, file)) return { others: file.nlink - 1, holdSecret: true }
    if (folder === dirname(folder)) break
  }
  return { others: file.nlink - 1, holdSecret: false }
}

async function hasSecretName(folder: string, { dev, ino }: Stats): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  const secrets = await mapInSlices(names, (name) => [join(folder, name)].filter(isSecretPath))
  const found = await Promise.all(secrets.flat().map((path) => stat(path).catch(() => undefined)))
  return found.some((each) => each?.dev === dev && each.ino === ino)
}
