import { OstlerError } from '../../base/errors.ts'
import { adaptIndent, type IndentChange } from './indent.ts'
import { createTextFinder } from './text-finder.ts'
import { countUpTo, createTextLines } from './text-lines.ts'

/** Lines of a file that are equal to wanted ones, apart from blanks. */
export interface FoundLines {
  readonly first: number
  readonly indent: IndentChange | undefined
}

/** The lines of a text. Made once for all edits of a file. */
export interface LineSearch {
  readonly text: string
  /** The offset at which each line starts. */
  readonly starts: ArrayLike<number>
  line(index: number): string
  /** Counts compared lines, of all edits. Throws `workspace.not_edited` if there are too many. */
  compared(lines: number): void
}

/** The lines of a text that repeats itself would otherwise be compared with each other. */
const comparedMax = 100_000
/** A part that is in more lines does not say where a text is. */
const placesMax = 10_000

export function createLineSearch(text: string): LineSearch {
  const { starts } = createTextLines(text)
  let compared = 0
  return {
    text,
    starts,
    line: (index) => text.slice(starts[index] ?? text.length, (starts[index + 1] ?? text.length + 1) - 1),
    compared(lines) {
      compared += lines
      if (compared > comparedMax) throw tooManyAlike()
    },
  }
}

function tooManyAlike(): OstlerError {
  return new OstlerError(
    'workspace.not_edited',
    'Nothing was changed: old_text is not in the file exactly, and too many lines are alike. Read the file again and copy fewer lines exactly.',
  )
}

/** The lines that contain a text, each once. Undefined if there are more than `max`. */
export function linesWith({ text, starts }: LineSearch, part: string, max: number): number[] | undefined {
  const found: number[] = []
  const find = createTextFinder(part)
  for (let at = find(text, 0); at !== -1;) {
    if (found.length === max) return undefined
    const line = countUpTo(starts, at) - 1
    found.push(line)
    const next = starts[line + 1]
    at = next === undefined ? -1 : find(text, next)
  }
  return found
}

/** Whole lines that differ from the wanted ones only in trailing blanks, or, if no lines do, also in their indentation. */
export function findLines(search: LineSearch, wanted: readonly string[]): readonly FoundLines[] {
  const candidates = candidatesFor(search, wanted)
  const same = candidates.filter((first) => {
    const different = wanted.findIndex(
      (line, index) => search.line(first + index).trimEnd() !== line.trimEnd(),
    )
    search.compared(different === -1 ? wanted.length : different + 1)
    return different === -1
  })
  if (same.length > 0) return same.map((first) => ({ first, indent: undefined }))
  return candidates.flatMap((first) => {
    search.compared(wanted.length)
    const lines = wanted.map((_, index) => search.line(first + index))
    const indent = adaptIndent(wanted, lines)
    return indent === undefined ? [] : [{ first, indent }]
  })
}

/** Number of lines by which a text is found: the longest ones, because they are likely to be the rarest. */
const anchorsMax = 8

/** Possible beginnings of the wanted lines, found by the line that occurs least. */
function candidatesFor(search: LineSearch, wanted: readonly string[]): readonly number[] {
  let rarest: { readonly index: number; readonly places: readonly number[] } | undefined
  const anchors = anchorsOf(wanted, anchorsMax)
  for (const { index, content } of anchors) {
    const places = linesWith(search, content, placesMax)?.filter((at) => search.line(at).trim() === content)
    if (places === undefined) continue
    if (places.length === 0) return []
    if (rarest === undefined || places.length < rarest.places.length) rarest = { index, places }
  }
  if (rarest === undefined) {
    if (anchors.length > 0) throw tooManyAlike()
    return []
  }
  const { index, places } = rarest
  return places
    .map((place) => place - index)
    .filter((first) => first >= 0 && first + wanted.length <= search.starts.length)
}

interface Anchor {
  readonly index: number
  readonly content: string
}

/** The longest lines, without those that are blank. Sorting hundreds of thousands of lines would block the event loop. */
export function anchorsOf(lines: readonly string[], max: number): readonly Anchor[] {
  const longest: Anchor[] = []
  let shortestLength = 0
  // An iterator over the entries would take several times as long.
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const content = line.length > shortestLength ? line.trim() : ''
    if (content.length <= shortestLength) continue
    const at = longest.findIndex((other) => other.content.length < content.length)
    longest.splice(at === -1 ? longest.length : at, 0, { index, content })
    if (longest.length > max) longest.pop()
    if (longest.length === max) shortestLength = longest.at(-1)?.content.length ?? 0
  }
  return longest
}
