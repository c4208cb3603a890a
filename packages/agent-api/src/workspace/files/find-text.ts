import { giveWay } from '../../base/in-slices.ts'
import { findPlaces } from './find-places.ts'
import { createLineSearch, findLines, type LineSearch } from './find-lines.ts'
import { createTextLines, toLfText, withEndingsOf, type LfText, type TextLines } from './text-lines.ts'

/** A text in which edits search. Derived data is computed once. */
export interface SearchedText {
  readonly text: string
  readonly lf: LfText
  /** Made when a message needs it. */
  readonly lines: () => Promise<TextLines>
  /** Made when an edit needs it. */
  readonly search: () => Promise<LineSearch>
  /** The places of the texts, in the text with LF. */
  readonly places: ReadonlyMap<string, readonly number[]>
}

/** The difference between a found text and the wanted one. */
export type Difference = 'none' | 'line endings' | 'trailing blanks' | 'indentation'

export interface FoundText {
  readonly start: number
  readonly end: number
  readonly newText: string
  readonly difference: Difference
}

export async function createSearchedText(text: string, wanted: readonly string[], signal?: AbortSignal): Promise<SearchedText> {
  const lf = await toLfText(text)
  let lines: Promise<TextLines> | undefined
  let search: Promise<LineSearch> | undefined
  await giveWay()
  return {
    text,
    lf,
    places: await findPlaces(lf.text, wanted.map(toLf), signal),
    lines: () => (lines ??= createTextLines(text)),
    search: () => (search ??= createLineSearch(lf.text)),
  }
}

/** All places of a text. Tries the exact text first; then line endings, trailing blanks and a uniform indentation may differ. */
export async function findText(searched: SearchedText, oldText: string, newText: string): Promise<readonly FoundText[]> {
  const exact = findExact(searched, oldText, newText)
  if (exact.length > 0) return exact
  return findLoosely(searched, oldText, newText)
}

/** Places that are the same with their line endings go before others. */
function findExact({ text, lf, places }: SearchedText, oldText: string, newText: string): readonly FoundText[] {
  const wanted = toLf(oldText)
  const found = (places.get(wanted) ?? []).map((place): FoundText => {
    const start = lf.toOriginal(place)
    const end = lf.toOriginal(place + wanted.length)
    const isSame = end - start === oldText.length && text.startsWith(oldText, start)
    // Such an edit is about the line endings.
    const isConversion = isSame && wanted !== oldText && wanted === toLf(newText)
    return {
      start,
      end,
      newText: isConversion ? newText : withEndingsOf(text, start, newText),
      difference: isSame ? 'none' : 'line endings',
    }
  })
  const same = found.filter(({ difference }) => difference === 'none')
  return same.length > 0 ? same : found
}

/** Only whole lines are found in this way. */
async function findLoosely({ text, lf, search }: SearchedText, oldText: string, newText: string): Promise<readonly FoundText[]> {
  const wanted = toLf(oldText)
  const isWhole = wanted.endsWith('\n')
  const lines = (isWhole ? wanted.slice(0, -1) : wanted).split('\n')
  const lineSearch = await search()
  const { starts } = lineSearch
  return (await findLines(lineSearch, lines)).map(({ first, indent }) => {
    const next = starts[first + lines.length]
    const isAtEnd = next === undefined
    const start = lf.toOriginal(starts[first] ?? 0)
    const end = lf.toOriginal(isAtEnd ? lf.text.length : isWhole ? next : next - 1)
    const replaced = indent === undefined ? newText : newText.replaceAll('\r\n', '\n').split('\n').map(indent).join('\n')
    // The last line of a file may have no line end.
    const fitted = isWhole && isAtEnd ? replaced.replace(/\r?\n$/, '') : replaced
    return { start, end, newText: withEndingsOf(text, start, fitted), difference: indent === undefined ? 'trailing blanks' : 'indentation' }
  })
}

function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
