import { createLineSearch, findLines, type LineSearch } from './find-lines.ts'
import { createTextFinder } from './text-finder.ts'
import {
  createEndingsFit,
  createTextLines,
  toLf,
  toLfText,
  type LfText,
  type TextLines,
} from './text-lines.ts'

/** Places above this number are not counted. Nobody changes that many at once. */
export const placesMax = 100_000

/** A text in which edits search. Derived data is computed once. */
export interface SearchedText {
  readonly text: string
  readonly lf: LfText
  /** Made when a message needs it. */
  readonly lines: () => TextLines
  /** Made when an edit needs it. */
  readonly search: () => LineSearch
}

export type Difference = 'none' | 'line endings' | 'trailing blanks' | 'indentation'

export interface FoundText {
  readonly start: number
  readonly end: number
  readonly newText: string
  readonly difference: Difference
}

export function createSearchedText(text: string): SearchedText {
  const lf = toLfText(text)
  let lines: TextLines | undefined
  let search: LineSearch | undefined
  return {
    text,
    lf,
    lines: () => (lines ??= createTextLines(text)),
    search: () => (search ??= createLineSearch(lf.text)),
  }
}

/** All places of a text. Tries the exact text first; then line endings, trailing blanks and a uniform indentation may differ. */
export function findText(searched: SearchedText, oldText: string, newText: string): readonly FoundText[] {
  const exact = findExact(searched, oldText, newText)
  return exact.length > 0 ? exact : findLoosely(searched, oldText, newText)
}

function placesOf(text: string, wanted: string): readonly number[] {
  const find = createTextFinder(wanted)
  const first = find(text, 0)
  // A second place that overlaps the first shows that the text is not unique.
  const second = first === -1 ? -1 : find(text, first + 1)
  if (second === -1) return first === -1 ? [] : [first]
  const places = [first]
  for (
    let at = find(text, first + wanted.length);
    at !== -1 && places.length <= placesMax;
    at = find(text, at + wanted.length)
  )
    places.push(at)
  return places.length === 1 ? [first, second] : places
}

/** Places that match with their line endings come first. */
function findExact({ text, lf }: SearchedText, oldText: string, newText: string): readonly FoundText[] {
  const wanted = toLf(oldText)
  const fit = createEndingsFit(text)
  // Such an edit is about the line endings.
  const mayConvert = wanted !== oldText && wanted === toLf(newText)
  const found = placesOf(lf.text, wanted).map((place): FoundText => {
    const start = lf.toOriginal(place)
    const end = lf.toOriginal(place + wanted.length)
    const isSame = end - start === oldText.length && text.startsWith(oldText, start)
    return {
      start,
      end,
      newText: isSame && mayConvert ? newText : fit(start, newText),
      difference: isSame ? 'none' : 'line endings',
    }
  })
  const same = found.filter(({ difference }) => difference === 'none')
  return same.length > 0 ? same : found
}

/** Only whole lines are found in this way. */
function findLoosely(
  { text, lf, search }: SearchedText,
  oldText: string,
  newText: string,
): readonly FoundText[] {
  const wanted = toLf(oldText)
  const isWhole = wanted.endsWith('\n')
  const lines = (isWhole ? wanted.slice(0, -1) : wanted).split('\n')
  const fit = createEndingsFit(text)
  const lineSearch = search()
  const { starts } = lineSearch
  return findLines(lineSearch, lines).map(({ first, indent }) => {
    const next = starts[first + lines.length]
    const isAtEnd = next === undefined
    const start = lf.toOriginal(starts[first] ?? 0)
    const end = lf.toOriginal(isAtEnd ? lf.text.length : isWhole ? next : next - 1)
    const replaced = indent === undefined ? newText : toLf(newText).split('\n').map(indent).join('\n')
    // The last line of a file may have no line end.
    const fitted = isWhole && isAtEnd ? replaced.replace(/\r?\n$/, '') : replaced
    return {
      start,
      end,
      newText: fit(start, fitted),
      difference: indent === undefined ? 'trailing blanks' : 'indentation',
    }
  })
}
