const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)/u
const unseen = /^[\p{M}\p{Cf}\p{Cc}]+$/u
/** Most texts, which need no segmenter. */
const ascii = /^[\u0020-\u007e]*$/

/** The characters of a text as a person counts them. */
export function graphemesOf(text: string): string[] {
  return ascii.test(text) ? [...text] : Array.from(segmenter.segment(text), ({ segment }) => segment)
}

export function graphemeWidth(grapheme: string): number {
  if (wide.test(grapheme)) return 2
  return unseen.test(grapheme) ? 0 : 1
}

/** The columns that a text without escape sequences takes on a terminal. */
export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length
  return graphemesOf(text).reduce((width, grapheme) => width + graphemeWidth(grapheme), 0)
}

/** The beginning of a text that fits, with a mark if something is missing. */
export function fitText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  let [fitting, width] = ['', 0]
  for (const grapheme of graphemesOf(text)) {
    width += graphemeWidth(grapheme)
    if (width > columns - 1) break
    fitting += grapheme
  }
  return columns < 1 ? '' : `${fitting}…`
}
