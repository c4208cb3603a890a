import type { CleanText } from '../../base/clean-text.ts'
import type { FoundLine, SearchFound, SearchJob } from './ripgrep.ts'
import { counted } from '../../base/quantities.ts'

export const lineCharsMax = 400
/** Limit on the lines of one result. Below the limit on a result, so that the remarks at the end are never cut off. */
const textCharsMax = 60_000

/** The found lines by file, with their numbers: `12:` for a match, `12-` for context. Remarks say what is missing. */
export function toFoundText(
  found: SearchFound,
  job: SearchJob,
  shownPath: (path: string) => string,
  clean: CleanText,
): string {
  const { lines } = found
  const texts: string[] = []
  let chars = 0
  let shown = 0
  for (const [index, line] of lines.entries()) {
    const text = `${separatorBefore(line, lines[index - 1], shownPath)}${toLineText(line, clean)}`
    if (chars + text.length > textCharsMax) break
    chars += text.length
    texts.push(text)
    shown++
  }
  const matches = lines.filter(({ column }) => column !== undefined).length
  const remarks = remarksAbout(found, job, { matches, isCut: shown < lines.length })
  return [texts.join('\n'), remarks.map((remark) => `[${remark}]`).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n')
}

function separatorBefore(
  line: FoundLine,
  before: FoundLine | undefined,
  shownPath: (path: string) => string,
): string {
  if (before?.path !== line.path)
    return `${before === undefined ? '' : '\n'}${toLine(shownPath(line.path))}\n`
  return before.line + 1 < line.line && (before.column === undefined || line.column === undefined)
    ? '--\n'
    : ''
}

/** A path may contain a line break. */
export function toLine(path: string): string {
  return path.replaceAll('\n', '\\n')
}

function toLineText({ line, column, text: found }: FoundLine, clean: CleanText): string {
  const text = found.length < lineCharsMax ? found : clean(found, true)
  if (column === undefined) return `${line}- ${text}`
  return `${line}: ${text}${column > lineCharsMax ? ` … (match at column ${column})` : ''}`
}

function remarksAbout(
  { lines, stoppedBy, unreadable, secretFiles }: SearchFound,
  { glob, matchesMax }: SearchJob,
  { matches, isCut }: { readonly matches: number; readonly isCut: boolean },
): readonly string[] {
  const files = new Set(lines.map(({ path }) => path)).size
  return [
    stoppedBy === 'limit'
      ? `The first ${matchesMax} matches that were found. There may be more: narrow the search, or set a higher "limit".`
      : matches === 0
        ? `No matches${glob === undefined ? '' : ' in files that match the glob'}. Ignored and binary files were not searched.`
        : `${counted(matches, 'match', 'matches')} in ${counted(files, 'file')}`,
    ...(isCut ? ['The rest is not shown: the result is too long. Narrow the search.'] : []),
    ...(stoppedBy === 'time' ? ['The search was stopped, because it took too long. Narrow it.'] : []),
    ...(unreadable > 0
      ? [
          `${unreadable === 1 ? '1 file or directory' : `${unreadable} files or directories`} could not be read.`,
        ]
      : []),
    ...(secretFiles > 0
      ? [
          `Matches in ${secretFiles === 1 ? '1 file that usually holds' : `${secretFiles} files that usually hold`} secrets are not shown. To search one of them, name it as the path.`,
        ]
      : []),
  ]
}
