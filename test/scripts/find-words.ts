/** Words that are left of an older way of writing, and what to write instead (docs/style.md). */
const patterns: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/, too(?=[.;:)]|$)/, 'leave it out, or write "also" before the verb'],
  [/\b(?:is|are|was) none\b/i, 'say what is missing, or that something is invalid'],
  [/\bmeanwhile\b/i, 'name the time: "while …", "until then"'],
  [/\belsewhere\b/i, 'name the place'],
  [/\bthe one before\b/i, 'write "the previous one", or name it'],
  [/(?<!\bthere |^\W*)\b(?:is|are|was|were) no (?!longer\b|more\b|one\b)[a-z]/i, 'write "is not a …"'],
  [/\brequires? each other\b/i, 'write "must be used together"'],
]

/** The first line of a comment, and of a block between others. */
const beginning = /^\s*(?:\/\*\*?|\/\/|\{\/\*) (What|Who|Whoever|Which|That|Those)\b/
const startsAs = 'begin with the subject: "The servers that …", "Says …", "True if …"'

export interface FoundWords {
  /** Counted from 1. */
  readonly line: number
  readonly words: string
  readonly instead: string
}

/** The places of a source or of a page in Markdown, without its blocks of code. */
export function findWords(path: string, text: string): readonly FoundWords[] {
  const isPage = path.endsWith('.md')
  let isCode = false
  return text.split('\n').flatMap((line, at, lines) => {
    if (isPage && /^ *```/.test(line)) isCode = !isCode
    if (isCode) return []
    const found = patterns.flatMap(([pattern, instead]) => {
      const [words] = pattern.exec(isPage ? line.replaceAll(/`[^`]*`/g, '') : line) ?? []
      return words === undefined ? [] : [{ line: at + 1, words, instead }]
    })
    const [, first] = beginning.exec(line) ?? []
    const isContinued = /^\s*\/\/ /.test(line) && /^\s*\/\/ /.test(lines[at - 1] ?? '')
    const isStart = first !== undefined && !isPage && !isContinued
    return isStart ? [...found, { line: at + 1, words: first, instead: startsAs }] : found
  })
}
