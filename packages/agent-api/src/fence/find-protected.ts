import { lstat, readdir, realpath, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { gitDirectoriesOf } from '../base/git-directory.ts'
import { namedBySettings } from '../base/git-settings.ts'
import { isInside } from '../base/is-inside.ts'
import { sensitivityOf } from '../base/sensitive-path.ts'
import type { FenceProfile, Place } from './fence-profile.ts'

const levelsMax = 3
const entriesMax = 5_000

/** Git, editors and agents run what these say as soon as they exist. */
const protectedDirectories = [
  '.git',
  '.husky',
  '.vscode',
  '.idea',
  '.zed',
  '.cursor',
  '.claude',
  '.codex',
  '.gemini',
]
const protectedFiles = ['.mcp.json', 'ostler.lock']

interface Protected extends Pick<FenceProfile, 'readOnly' | 'absent'> {
  /** Directories between the root and what is read-only. As mounts of their own, they cannot be renamed, to put something else in their place. */
  readonly fixed: readonly string[]
}

/** Finds files that make other programs run something: those that exist at the top of a directory or a few levels below, and those that could be created at its top. */
export async function findProtected(root: string): Promise<Protected> {
  const found: string[] = []
  const folders = [{ path: root, level: 1 }]
  let entries = 0
  for (const { path: folder, level } of folders) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (++entries > entriesMax) break
      const path = join(folder, entry.name)
      if (isProtected(path)) found.push(path)
      else if (entry.isDirectory() && entry.name !== 'node_modules' && level < levelsMax)
        folders.push({ path, level: level + 1 })
    }
  }
  const absent = await Promise.all([
    ...protectedDirectories.map((name) => asAbsent(join(root, name), true)),
    ...protectedFiles.map((name) => asAbsent(join(root, name), false)),
  ])
  const git = await Promise.all([gitDirectoriesOf(root), namedBySettings(root)])
  // A mount would follow a link, and show what it leads to. Outside, nothing can be written anyway.
  const inside = (await existing([...found, ...git.flat()])).filter((path) => isInside(path, root))
  return {
    readOnly: inside,
    fixed: [...new Set(inside.flatMap((path) => foldersBetween(root, dirname(path))))],
    absent: absent.filter((place) => place !== undefined),
  }
}

/** Real paths, each once. What does not exist is left out. */
export async function existing(paths: readonly (string | undefined)[]): Promise<string[]> {
  const real = paths.flatMap((path) => (path ? realpath(path).catch(() => []) : []))
  return [...new Set((await Promise.all(real)).flat())]
}

function foldersBetween(root: string, folder: string): readonly string[] {
  return folder === root ? [] : [folder, ...foldersBetween(root, dirname(folder))]
}

function isProtected(path: string): boolean {
  return (
    /^(?:\.git|ostler\.(?:jsonc?|ya?ml|lock))$/.test(basename(path)) ||
    sensitivityOf(path) === 'program' ||
    sensitivityOf(join(path, 'any')) === 'program'
  )
}

/** An empty one counts as absent, because Ostler may have been killed before it could remove it. */
async function asAbsent(path: string, isDirectory: boolean): Promise<Place | undefined> {
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined) return { path, isDirectory }
  const isEmpty = found.isDirectory()
    ? (await readdir(path)).length === 0
    : found.isFile() && found.size === 0
  return isEmpty ? { path, isDirectory: found.isDirectory() } : undefined
}

/** Removes what the fence had put in the place of something absent, and nothing else. */
export async function removePlaceholder({ path, isDirectory }: Place): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (isDirectory) await rmdir(path).catch(() => undefined)
  else if (found?.isFile() === true && found.size === 0) await unlink(path).catch(() => undefined)
}
