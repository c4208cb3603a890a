import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { isForeign } from '../../base/file-owner.ts'
import { parseIgnore, verdictOf, type IgnoreRules } from './ignore.ts'

/** The ignore files that apply in one folder, and those of the folders above it. */
export interface IgnoreLevel {
  readonly folder: string
  readonly git: IgnoreRules
  readonly own: IgnoreRules
  /** Git's rules end at the top of a repository. */
  readonly isRepository: boolean
  readonly above: IgnoreLevel | undefined
}

const ignoreFileBytesMax = 64 * 1024

/** A rule of an `.ignore` file overrides every `.gitignore`. Within a kind, the nearest file decides. */
export function isIgnored(level: IgnoreLevel, path: string, isFolder: boolean): boolean {
  let own: boolean | undefined
  let git: boolean | undefined
  let isGitOver = false
  for (let at: IgnoreLevel | undefined = level; at !== undefined && own === undefined; at = at.above) {
    if (at.own.length === 0 && (isGitOver || git !== undefined || at.git.length === 0)) {
      isGitOver ||= at.isRepository
      continue
    }
    const inFolder = path.slice(at.folder.length + (at.folder.endsWith(sep) ? 0 : 1)).replaceAll(sep, '/')
    own = verdictOf(at.own, inFolder, isFolder)
    if (git === undefined && !isGitOver) git = verdictOf(at.git, inFolder, isFolder)
    isGitOver ||= at.isRepository
  }
  return own ?? git ?? false
}

/** Reads the ignore files of a folder and of all above it. */
export async function levelsAbove(folder: string): Promise<IgnoreLevel> {
  const parent = dirname(folder)
  const isTop = parent === folder || hasForeignRules(folder)
  return readLevel(folder, isTop ? undefined : await levelsAbove(parent))
}

/** True if another user could have put an ignore file into a folder above. Then none above counts. */
export function hasForeignRules(folder: string): boolean {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid ?? -1
  for (let at = dirname(folder); at !== dirname(at); at = dirname(at)) {
    if (!['.gitignore', '.ignore'].some((name) => existsSync(join(at, name)))) continue
    const found = statSync(at, { throwIfNoEntry: false })
    if (found === undefined || isForeign(found, owner)) return true
  }
  return false
}

/** Reads those of a folder in one whose level is known. */
export async function readLevel(folder: string, above: IgnoreLevel | undefined): Promise<IgnoreLevel> {
  return {
    folder,
    git: await readRules(join(folder, '.gitignore')),
    own: await readRules(join(folder, '.ignore')),
    isRepository: existsSync(join(folder, '.git')),
    above,
  }
}

async function readRules(path: string): Promise<IgnoreRules> {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isFile() === true && found.size <= ignoreFileBytesMax
      ? await parseIgnore(readFileSync(path, 'utf8'))
      : []
  } catch {
    return []
  }
}
