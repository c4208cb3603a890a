/** Shorter texts are found fast enough in any text. */
const plainCharsMax = 64

/**
 * Finds a text in others, from an offset on; -1 if it is not there. Takes linear time (Knuth, Morris and Pratt), where `indexOf` takes minutes
 * if both texts repeat themselves.
 */
export function createTextFinder(wanted: string): (text: string, from: number) => number {
  if (wanted.length <= plainCharsMax) return (text, from) => text.indexOf(wanted, from)
  /** For each beginning of the text: the length of its longest end that is a beginning as well. */
  const borders = new Uint32Array(wanted.length)
  const extend = (length: number, unit: number): number => {
    let matched = length
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
    return wanted.charCodeAt(matched) === unit ? matched + 1 : matched
  }
  for (let at = 1, length = 0; at < wanted.length; at++)
    borders[at] = length = extend(length, wanted.charCodeAt(at))
  return (text, from) => {
    for (let at = from, length = 0; at < text.length; at++) {
      length = extend(length, text.charCodeAt(at))
      if (length === wanted.length) return at + 1 - length
    }
    return -1
  }
}
