import { mapInSlices } from '../../base/in-slices.ts'
import { compilePath, type PathMatch } from './glob.ts'

/** The rules of one ignore file, first to last. Its patterns apply to paths below its folder. */
export type IgnoreRules = readonly IgnoreRule[]

interface IgnoreRule {
  readonly isNegated: boolean
  readonly isForFolders: boolean
  readonly matches: PathMatch
}

const rulesMax = 1_000

/** Parses a `.gitignore` or `.ignore` file. */
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
