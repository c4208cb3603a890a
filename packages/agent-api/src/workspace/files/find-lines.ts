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
  readonly lines: readonly string[]
  /** The offset at which each line starts. */
  readonly starts: readonly number[]
  /** The lines that have this content. */
  places(content: string): readonly number[]
}

/** In a longer text, lines are searched for one by one, because an index of all takes too long at once. */
const indexedCharsMax = 2_000_000

export function createLineSearch(text: string): LineSearch {
  const lines = text.split('\n')
  const { starts } = createTextLines(text)
  let index: Map<string, number[]> | undefined
  return {
    text,
    lines,
    starts,
    places(content) {
      if (text.length > indexedCharsMax) return linesWith(text, starts, content).filter((line) => lines[line]?.trim() === content)
      index ??= indexLines(lines)
      return index.get(content) ?? []
    },
  }
}

function indexLines(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [index, line] of lines.entries()) {
    const content = line.trim()
    const known = places.get(content)
    if (known === undefined) places.set(content, [index])
    else known.push(index)
  }
  return places
}

/** The lines that contain a text, each once. */
export function linesWith(text: string, starts: readonly number[], part: string, max = Number.POSITIVE_INFINITY): readonly number[] {
  const found: number[] = []
  for (let at = text.indexOf(part); at !== -1 && found.length < max;) {
    const line = countUpTo(starts, at) - 1
    found.push(line)
    const next = starts[line + 1]
    at = next === undefined ? -1 : text.indexOf(part, next)
  }
  return found
}

/** Whole lines that differ from the wanted ones in trailing blanks only; if there are none, in their indentation, too. */
export function findLines(search: LineSearch, wanted: readonly string[]): readonly FoundLines[] {
  const candidates = candidatesFor(search, wanted)
  const trimmed = wanted.map((line) => line.trimEnd())
  const sameIndent = candidates.filter((first) => trimmed.every((line, index) => search.lines[first + index]?.trimEnd() === line))
  if (sameIndent.length > 0) return sameIndent.map((first) => ({ first, indent: undefined }))
  return candidates.flatMap((first) => {
    const indent = adaptIndent(wanted, search.lines.slice(first, first + wanted.length))
    return indent === undefined ? [] : [{ first, indent }]
  })
}

/** Lines by which a text is looked for. The longest ones, because they are likely to occur least. */
const anchorsMax = 8

/** Where the wanted lines could begin, judged by the one that occurs least. */
function candidatesFor(search: LineSearch, wanted: readonly string[]): readonly number[] {
  let rarest: { readonly index: number; readonly places: readonly number[] } | undefined
  for (const { index, content } of anchorsOf(wanted, anchorsMax)) {
    const places = search.places(content)
    if (rarest === undefined || places.length < rarest.places.length) rarest = { index, places }
    if (places.length === 0) return []
  }
  if (rarest === undefined) return []
  const { index, places } = rarest
  return places.map((place) => place - index).filter((first) => first >= 0 && first + wanted.length <= search.lines.length)
}

/** The longest lines, without those that are blank. */
export function anchorsOf(lines: readonly string[], max: number): readonly { readonly index: number; readonly content: string }[] {
  return lines
    .map((line, index) => ({ index, content: line.trim() }))
    .filter(({ content }) => content !== '')
    .toSorted((one, other) => other.content.length - one.content.length)
    .slice(0, max)
}
