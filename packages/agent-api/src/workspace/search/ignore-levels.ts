import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { isForeign } from '../../base/is-foreign.ts'
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

const ignoreFileBytesMax = 1024 * 1024

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
    const names = path.slice(at.folder.length + (at.folder.endsWith(sep) ? 0 : 1)).split(sep)
    own = verdictOf(at.own, names, isFolder)
    if (git === undefined && !isGitOver) git = verdictOf(at.git, names, isFolder)
    isGitOver ||= at.isRepository
  }
  return own ?? git ?? false
}

/** Reads the ignore files of a folder and of all above it. Synchronously: these files are small. */
export function levelsAbove(folder: string): IgnoreLevel {
  return hasForeignRules(folder) ? readLevel(folder, undefined) : allLevels(folder)
}

function allLevels(folder: string): IgnoreLevel {
  const parent = dirname(folder)
  return readLevel(folder, parent === folder ? undefined : allLevels(parent))
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
export function readLevel(folder: string, above: IgnoreLevel | undefined): IgnoreLevel {
  const isRepository = existsSync(join(folder, '.git'))
  return { folder, git: readRules(join(folder, '.gitignore')), own: readRules(join(folder, '.ignore')), isRepository, above }
}

function readRules(path: string): IgnoreRules {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isFile() === true && found.size <= ignoreFileBytesMax ? parseIgnore(readFileSync(path, 'utf8')) : []
  } catch {
    return []
  }
}
