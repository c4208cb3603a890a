import { createLineSearch, findLines, type LineSearch } from './find-lines.ts'
import { createTextLines, toLfText, withEndingsOf, type LfText, type TextLines } from './text-lines.ts'

/** A text in which edits look for theirs. Everything is derived once, when it is first needed. */
export interface SearchedText {
  readonly text: string
  readonly lf: LfText
  readonly lines: TextLines
  readonly search: LineSearch
}

/** How a found text differs from the wanted one. */
export type Difference = 'none' | 'line endings' | 'trailing blanks' | 'indentation'

export interface FoundText {
  readonly start: number
  readonly end: number
  readonly newText: string
  readonly difference: Difference
}

export function createSearchedText(text: string): SearchedText {
  let lf: LfText | undefined
  let lines: TextLines | undefined
  let search: LineSearch | undefined
  return {
    text,
    get lf() {
      return (lf ??= toLfText(text))
    },
    get lines() {
      return (lines ??= createTextLines(text))
    },
    get search() {
      return (search ??= createLineSearch(this.lf.text))
    },
  }
}

/** All places of a text. Tries the exact text first; then line endings, trailing blanks and a uniform indentation may differ. */
export function findText(searched: SearchedText, oldText: string, newText: string): readonly FoundText[] {
  const exact = findExact(searched, oldText, newText)
  if (exact.length > 0) return exact
  return findLoosely(searched, oldText, newText)
}

function findExact({ text, lf }: SearchedText, oldText: string, newText: string): readonly FoundText[] {
  const wanted = oldText.replaceAll('\r\n', '\n')
  if (wanted !== oldText) {
    const isConversion = wanted === newText.replaceAll('\r\n', '\n')
    const found = allPlaces(text, oldText).map((start) => {
      return {
        start,
        end: start + oldText.length,
        newText: isConversion ? newText : withEndingsOf(text, start, newText),
        difference: 'none' as const,
      }
    })
    if (found.length > 0) return found
  }
  return allPlaces(lf.text, wanted).map((place) => {
    const start = lf.toOriginal(place)
    const end = lf.toOriginal(place + wanted.length)
    const isSame = end - start === oldText.length && text.startsWith(oldText, start)
    return { start, end, newText: withEndingsOf(text, start, newText), difference: isSame ? 'none' : 'line endings' }
  })
}

/** Only whole lines are found in this way. */
function findLoosely({ text, lf, search }: SearchedText, oldText: string, newText: string): readonly FoundText[] {
  const wanted = oldText.replaceAll('\r\n', '\n')
  const isWhole = wanted.endsWith('\n')
  const lines = (isWhole ? wanted.slice(0, -1) : wanted).split('\n')
  const { starts } = search
  return findLines(search, lines).map(({ first, indent }) => {
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

/** The places of a text that do not overlap, and the next place if that overlaps, because a text that overlaps itself is not unique. */
function allPlaces(text: string, wanted: string): readonly number[] {
  const places: number[] = []
  if (wanted === '') return places
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) places.push(at)
  const [first] = places
  if (places.length !== 1 || first === undefined) return places
  const overlapping = text.slice(first + 1, first + 2 * wanted.length - 1).indexOf(wanted)
  return overlapping === -1 ? places : [first, first + 1 + overlapping]
}
