import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { isForeign } from '../../base/file-owner.ts'
import { mapInSlices } from '../../base/in-slices.ts'
import { compilePath, type PathMatch } from './glob.ts'

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

/** For a folder whose parent has the level `above`. */
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

/** The rules of one ignore file, first to last. Its patterns apply to paths below its folder. */
export type IgnoreRules = readonly IgnoreRule[]

interface IgnoreRule {
  readonly isNegated: boolean
  readonly isForFolders: boolean
  readonly matches: PathMatch
}

const rulesMax = 1_000

export async function parseIgnore(text: string): Promise<IgnoreRules> {
  const lines = text.replace(/^\ufeff/, '').split('\n', rulesMax)
  return (await mapInSlices(lines, (line) => parseRule(line.replace(/\r$/, '')))).flat()
}

/** True to ignore, false to keep, undefined if no rule applies. The last matching rule decides. */
export function verdictOf(rules: IgnoreRules, path: string, isFolder: boolean): boolean | undefined {
  const rule = rules.findLast(({ isForFolders, matches }) => (isFolder || !isForFolders) && matches(path))
  return rule === undefined ? undefined : !rule.isNegated
}

function parseRule(line: string): readonly IgnoreRule[] {
  const trimmed = withoutTrailingSpaces(line)
  if (trimmed === '' || trimmed.startsWith('#')) return []
  const isNegated = trimmed.startsWith('!')
  const body = isNegated ? trimmed.slice(1) : trimmed
  const isForFolders = body.endsWith('/')
  const pattern = body.replace(/\/$/, '')
  if (pattern === '') return []
  const isAnchored = pattern.includes('/')
  try {
    const matches = compilePath(isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`)
    return [{ isNegated, isForFolders, matches }]
  } catch {
    return []
  }
}

/** A space after a backslash stays. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--
  return line.slice(0, end)
}
