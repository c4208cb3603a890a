import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { parseIgnore, verdictOf, type IgnoreRules } from './ignore.ts'

/** The ignore files that apply in one folder, and those of the folders above it. */
interface IgnoreLevel {
  readonly folder: string
  readonly git: IgnoreRules
  readonly own: IgnoreRules
  /** Git's rules end at the top of a repository. */
  readonly isRepository: boolean
  readonly above: IgnoreLevel | undefined
}

export interface WalkEnd {
  /** Folders that could not be read. */
  unreadable: number
}

const ignoreFileBytesMax = 1024 * 1024

/**
 * The paths of all files below a folder, relative to it and with slashes, except ignored ones. Symbolic links are not followed. Reads the
 * disk synchronously, so it must run in its own thread.
 */
export function* walkFiles(root: string, end: WalkEnd): Generator<string> {
  const open: { readonly folder: string; readonly level: IgnoreLevel }[] = [{ folder: root, level: levelsAbove(root) }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder, level } = next
    let entries
    try {
      entries = readdirSync(folder, { withFileTypes: true })
    } catch {
      end.unreadable++
      continue
    }
    for (const entry of entries) {
      const path = join(folder, entry.name)
      const isFolder = entry.isDirectory()
      if (entry.name === '.git' || !(isFolder || entry.isFile()) || isIgnored(level, path, isFolder)) continue
      if (isFolder) open.push({ folder: path, level: readLevel(path, level) })
      else yield relative(root, path).split(sep).join('/')
    }
  }
}

/** A rule of an `.ignore` file overrides every `.gitignore`. Within a kind, the nearest file decides. */
function isIgnored(level: IgnoreLevel, path: string, isFolder: boolean): boolean {
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

function levelsAbove(folder: string): IgnoreLevel {
  const parent = dirname(folder)
  return readLevel(folder, parent === folder ? undefined : levelsAbove(parent))
}

function readLevel(folder: string, above: IgnoreLevel | undefined): IgnoreLevel {
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
