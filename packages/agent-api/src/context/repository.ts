import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { gitDirectoryOf } from '../base/git-directory.ts'
import { isForeign } from '../base/file-owner.ts'
import { readTextFile } from './read-text-file.ts'

export interface Repository {
  readonly root: string
  readonly state: string
}

const levelsMax = 64
const smallFileBytesMax = 4_096

/**
 * Looks neither above the home directory, nor in or above a folder into which another user could have put a repository, because
 * instructions and skills come with it.
 */
export async function findRoot(folder: string, home: string | undefined): Promise<string | undefined> {
  let root = resolve(folder)
  const owner = statsOf(root)
  for (let level = 0; level < levelsMax; level++) {
    const parent = dirname(root)
    // Asked together, because each waits for the disk.
    const [isRoot, found] = await Promise.all([exists(join(root, '.git')), statsOf(parent)])
    if (isRoot) return root
    if (parent === root || root === home) return undefined
    if (found === undefined || isForeign(found, (await owner)?.uid ?? -1)) return undefined
    root = parent
  }
  return undefined
}

/** Reads a few files and runs nothing: `git status` may run programs that the configuration of the repository names. */
export async function loadRepository(root: string): Promise<Repository> {
  const directory = await gitDirectoryOf(root)
  const head =
    directory === undefined
      ? undefined
      : (await readTextFile(join(directory, 'HEAD'), [directory], smallFileBytesMax))?.text.trim()
  const branch = /^ref: refs\/heads\/([^\0-\x20]{1,200})$/.exec(head ?? '')?.[1]
  const commit = /^[0-9a-f]{40,64}$/.exec(head ?? '')?.[0].slice(0, 10)
  const where =
    branch !== undefined
      ? `on branch ${branch}`
      : commit !== undefined
        ? `at commit ${commit}, on no branch`
        : 'in an unknown state'
  const doing =
    directory === undefined
      ? []
      : await Promise.all(
          operations.map(async ([file, what]) => ((await exists(join(directory, file))) ? [what] : [])),
        )
  return { root, state: [where, ...new Set(doing.flat())].join(', ') }
}

export function foldersBetween(root: string, folder: string): string[] {
  const folders: string[] = []
  for (let at = resolve(folder); ; at = dirname(at)) {
    folders.unshift(at)
    if (at === root || at === dirname(at)) return folders
  }
}

const operations = [
  ['rebase-merge', 'in the middle of a rebase'],
  ['rebase-apply', 'in the middle of a rebase'],
  ['MERGE_HEAD', 'in the middle of a merge'],
  ['CHERRY_PICK_HEAD', 'in the middle of a cherry-pick'],
  ['REVERT_HEAD', 'in the middle of a revert'],
  ['BISECT_LOG', 'in the middle of a bisect'],
] as const

async function exists(path: string): Promise<boolean> {
  return (await statsOf(path)) !== undefined
}

function statsOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined)
}
