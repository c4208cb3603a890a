import { lstat, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isForeign } from './file-owner.ts'
import { isInside } from './is-inside.ts'

const linkBytesMax = 4_096
const textBytesMax = 1024 * 1024

/**
 * Git's directory of a working tree. In a linked working tree, `.git` is a file that names it. It is followed only inside the tree, or to a
 * folder of this user. A share of the network is never opened: on Windows, that would send the person's credentials.
 */
export async function gitDirectoryOf(root: string): Promise<string | undefined> {
  const path = join(root, '.git')
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || found.isDirectory()) return found && path
  if (!found.isFile() || found.size > linkBytesMax) return undefined
  const named = /^gitdir: ([^\0\r\n]+)\r?\n?$/.exec(await readFile(path, 'utf8').catch(() => ''))?.[1]
  const target = named === undefined ? undefined : resolveLocal(root, named)
  if (target === undefined || isInside(target, root)) return target
  const there = await lstat(target).catch(() => undefined)
  return there === undefined || isForeign(there, found.uid) ? undefined : target
}

/** Git's directory of a working tree, and the one that it shares with other working trees, if that is another. */
export async function gitDirectoriesOf(root: string): Promise<readonly string[]> {
  const directory = await gitDirectoryOf(root)
  if (directory === undefined) return []
  const common = resolveLocal(directory, (await textOf(join(directory, 'commondir'))).trim())
  return common === undefined || common === directory ? [directory] : [directory, common]
}

/** Undefined for a share of the network. */
export function resolveLocal(folder: string, path: string): string | undefined {
  return /^[\\/]{2}/.test(path) ? undefined : resolve(folder, path)
}

/** Empty for a file that cannot be read. */
export async function textOf(file: string): Promise<string> {
  try {
    const found = await stat(file)
    // Reading a pipe may never end.
    return found.isFile() && found.size <= textBytesMax ? await readFile(file, 'utf8') : ''
  } catch {
    return ''
  }
}
