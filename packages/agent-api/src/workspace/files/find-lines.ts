import { OstlerError } from '../../base/errors.ts'
import { giveWay } from '../../base/in-slices.ts'
import { adaptIndent, type IndentChange } from './indent.ts'
import { countUpTo, createTextLines } from './text-lines.ts'

/** Lines of a file that are equal to wanted ones, apart from blanks. */
export interface FoundLines {
  readonly first: number
  readonly indent: IndentChange | undefined
}

/** The lines of a text, by their content without surrounding blanks. Made once for all edits of a file. */
export interface LineSearch {
  readonly text: string
  line(index: number): string
  /** The offset at which each line starts. */
  readonly starts: ArrayLike<number>
  /** The lines that have this content. */
  places(content: string): readonly number[]
  /** Counts compared lines, of all edits. Throws `workspace.not_edited` if there are too many. */
  compared(lines: number): void
}

/** The lines of a text that repeats itself would otherwise be compared with each other. */
const comparedMax = 2_000_000

/** Number of lines between two checks of the time. */
const linesPerLook = 1_000
/** In a longer text, lines are searched for one by one, because an index of all takes too long at once. */
const indexedCharsMax = 2_000_000

export async function createLineSearch(text: string): Promise<LineSearch> {
  const { starts } = await createTextLines(text)
  const line = (index: number) => text.slice(starts[index] ?? text.length, (starts[index + 1] ?? text.length + 1) - 1)
  const index = text.length > indexedCharsMax ? undefined : await indexLines(starts.length, line)
  let compared = 0
  return {
    text,
    line,
    starts,
    places: (content) =>
      index === undefined ? linesWith(text, starts, content).filter((at) => line(at).trim() === content) : (index.get(content) ?? []),
    compared(lines) {
      compared += lines
      if (compared <= comparedMax) return
      throw new OstlerError(
        'workspace.not_edited',
        'Nothing was changed: old_text is not in the file exactly, and too many lines are alike. Read the file again and copy fewer lines exactly.',
      )
    },
  }
}

async function indexLines(count: number, lineAt: (index: number) => string): Promise<Map<string, number[]>> {
  const places = new Map<string, number[]>()
  for (let index = 0; index < count; index++) {
    if (index % linesPerLook === 0) await giveWay()
    const content = lineAt(index).trim()
    // A blank line matches too much to be of use.
    if (content === '') continue
    const known = places.get(content)
    if (known === undefined) places.set(content, [index])
    else known.push(index)
  }
  return places
}

/** The lines that contain a text, each once. */
export function linesWith(text: string, starts: ArrayLike<number>, part: string, max = Number.POSITIVE_INFINITY): readonly number[] {
  const found: number[] = []
  for (let at = text.indexOf(part); at !== -1 && found.length < max;) {
    const line = countUpTo(starts, at) - 1
    found.push(line)
    const next = starts[line + 1]
    at = next === undefined ? -1 : text.indexOf(part, next)
  }
  return found
}

/** Whole lines that differ from the wanted ones only in trailing blanks, or, if no lines do, also in their indentation. */
export async function findLines(search: LineSearch, wanted: readonly string[]): Promise<readonly FoundLines[]> {
  const candidates = candidatesFor(search, wanted)
  const trimmed = wanted.map((line) => line.trimEnd())
  const found: FoundLines[] = []
  for (const first of candidates) {
    await giveWay()
    const different = trimmed.findIndex((line, index) => search.line(first + index).trimEnd() !== line)
    search.compared(different === -1 ? wanted.length : different + 1)
    if (different === -1) found.push({ first, indent: undefined })
  }
  if (found.length > 0) return found
  for (const first of candidates) {
    await giveWay()
    search.compared(wanted.length)
    const indent = adaptIndent(
      wanted,
      wanted.map((_, index) => search.line(first + index)),
    )
    if (indent !== undefined) found.push({ first, indent })
  }
  return found
}

/** Lines by which a text is looked for. The longest ones, because they are likely to occur least. */
const anchorsMax = 8

/** Possible beginnings of the wanted lines, found by the line that occurs least. */
function candidatesFor(search: LineSearch, wanted: readonly string[]): readonly number[] {
  let rarest: { readonly index: number; readonly places: readonly number[] } | undefined
  for (const { index, content } of anchorsOf(wanted, anchorsMax)) {
    const places = search.places(content)
    if (rarest === undefined || places.length < rarest.places.length) rarest = { index, places }
    if (places.length === 0) return []
  }
  if (rarest === undefined) return []
  const { index, places } = rarest
  return places.map((place) => place - index).filter((first) => first >= 0 && first + wanted.length <= search.starts.length)
}

/** The longest lines, without those that are blank. */
export function anchorsOf(lines: readonly string[], max: number): readonly { readonly index: number; readonly content: string }[] {
  return lines
    .map((line, index) => ({ index, content: line.trim() }))
    .filter(({ content }) => content !== '')
    .toSorted((one, other) => other.content.length - one.content.length)
    .slice(0, max)
}
