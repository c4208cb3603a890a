import { matchSegments, toSegments } from './glob.ts'

/** The rules of one ignore file, first to last. Its patterns apply to paths below its folder. */
export type IgnoreRules = readonly IgnoreRule[]

interface IgnoreRule {
  readonly isNegated: boolean
  readonly isForFolders: boolean
  readonly matches: (names: readonly string[]) => boolean
}

const rulesMax = 5_000

/** Parses a `.gitignore` or `.ignore` file. */
export function parseIgnore(text: string): IgnoreRules {
  return text
    .replace(/^\ufeff/, '')
    .split('\n', rulesMax)
    .flatMap((line) => parseRule(line.replace(/\r$/, '')))
}

/** True to ignore, false to keep, undefined if no rule applies. The last matching rule decides. */
export function verdictOf(rules: IgnoreRules, names: readonly string[], isFolder: boolean): boolean | undefined {
  const rule = rules.findLast(({ isForFolders, matches }) => (isFolder || !isForFolders) && matches(names))
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
  const segments = toSegments(isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`)
  return [{ isNegated, isForFolders, matches: (names) => matchSegments(segments, names) }]
}

/** A space after a backslash stays. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--
  return line.slice(0, end)
}
