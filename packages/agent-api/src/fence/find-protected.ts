import { lstatSync, readFileSync, rmdirSync, statSync, unlinkSync } from 'node:fs'
import { access, constants, lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { gitDirectoriesOf } from '../base/git-directory.ts'
import { namedBySettings } from '../base/git-settings.ts'
import { isInside } from '../base/is-inside.ts'
import { sensitivityOf } from '../base/sensitive-path.ts'
import type { FenceProfile, Place } from './fence-profile.ts'

const levelsMax = 3
const entriesMax = 5_000

/** Git, editors and agents run what is in these, also what is added to them. */
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
  // First, and by name: a program could fill the directory, so that they are never come to.
  const found = [...protectedDirectories, ...protectedFiles].map((name) => join(root, name))
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
  const canCreate = await isWritable(root)
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
    absent: canCreate ? absent.filter((place) => place !== undefined) : [],
  }
}

/** Where a program cannot create anything, no placeholder can be made. Inside a fence, root may only do what its owner may. */
async function isWritable(folder: string): Promise<boolean> {
  const { uid, mode } = await stat(folder)
  if (process.getuid?.() === 0 && uid !== 0 && (mode & 0o2) === 0) return false
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
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
    protectedDirectories.includes(basename(path)) ||
    /^ostler\.(?:jsonc?|ya?ml)$/.test(basename(path)) ||
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

/** The fence holds this lock while it stands, where other processes see it. */
export function lockOf({ path }: Place): string {
  return dirname(path)
}

/** True while a fence of any process stands there. */
export function isLocked(place: Place): boolean {
  try {
    return readFileSync('/proc/locks', 'utf8').includes(`:${statSync(lockOf(place)).ino} 0 EOF`)
  } catch {
    return false
  }
}

/** Removes what a fence had put in the place of something absent, and nothing else. At once, so that no new fence stands on it yet. */
export function removePlaceholder({ path, isDirectory }: Place): void {
  try {
    if (isDirectory) rmdirSync(path)
    else if (lstatSync(path).isFile() && lstatSync(path).size === 0) unlinkSync(path)
  } catch {
    // Something else was put there, or it was removed.
  }
}
