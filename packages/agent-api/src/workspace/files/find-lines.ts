import { adaptIndent, type IndentChange } from './indent.ts'

/** Lines of a file that are equal to wanted ones, apart from blanks. */
export interface FoundLines {
  readonly first: number
  readonly indent: IndentChange | undefined
}

/** The lines of a text, by their content without surrounding blanks. Made once for all edits of a file. */
export interface LineSearch {
  readonly lines: readonly string[]
  /** The offset at which each line starts. */
  readonly starts: readonly number[]
  /** The lines that have this content. */
  places(content: string): readonly number[]
}

export function createLineSearch(text: string): LineSearch {
  const lines = text.split('\n')
  let length = 0
  const starts = lines.map((line) => {
    length += line.length + 1
    return length - line.length - 1
  })
  let places: Map<string, number[]> | undefined
  return {
    lines,
    starts,
    places(content) {
      places ??= indexLines(lines)
      return places.get(content) ?? []
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

/** Where the wanted lines could begin, judged by the one that occurs least. */
function candidatesFor(search: LineSearch, wanted: readonly string[]): readonly number[] {
  let rarest: { readonly index: number; readonly places: readonly number[] } | undefined
  for (const [index, line] of wanted.entries()) {
    const content = line.trim()
    if (content === '') continue
    const places = search.places(content)
    if (rarest === undefined || places.length < rarest.places.length) rarest = { index, places }
  }
  if (rarest === undefined) return []
  const { index, places } = rarest
  return places.map((place) => place - index).filter((first) => first >= 0 && first + wanted.length <= search.lines.length)
}
