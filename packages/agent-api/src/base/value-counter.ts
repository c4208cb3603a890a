/** Values of a JSON text that is parsed in one go. Even if all are objects with keys of their own, it takes less than 50 ms. */
export const parsedValuesMax = 100_000

const quote = 0x22
const backslash = 0x5c
const space = 0x20
/** Commas, opening brackets and opening braces. */
const beginsValue = new Uint8Array(256)
beginsValue[0x2c] = beginsValue[0x5b] = beginsValue[0x7b] = 1

/**
 * Counts the values in a JSON text as it arrives. Parsing time depends more on their number than on the bytes. Each comma, opening bracket
 * and opening brace begins a value, and so does the start of the text. An empty list or object counts as two.
 */
export function createValueCounter() {
  let count = 1
  let isInString = false
  let isAfterBackslash = false

  /** Hot loop: sees every byte that a server sends. */
  function add(piece: Uint8Array, from: number, to: number): void {
    let at = from
    while (at < to) {
      if (isInString) at = skipString(piece, at, to)
      else {
        let found = 0
        for (; at < to && piece[at] !== quote; at++) found += beginsValue[piece[at] ?? 0] ?? 0
        count += found
        isInString = at < to
        at++
      }
    }
  }

  /** Handles the next byte that needs a decision, and returns the position after it. */
  function skipString(piece: Uint8Array, from: number, to: number): number {
    let at = from
    let byte = piece[at] ?? 0
    const isEscaped = isAfterBackslash && (byte === quote || byte === backslash)
    isAfterBackslash = false
    if (isEscaped) return at + 1
    while (at < to && byte !== quote && byte !== backslash && byte >= space) byte = piece[++at] ?? 0
    if (at === to) return at
    isAfterBackslash = byte === backslash
    // A string ends at the end of its line at the latest. The next line of an event stream may belong to another field.
    isInString = isAfterBackslash
    return at + 1
  }

  return {
    get count(): number {
      return count
    },
    add,
    /** Starts a new text. */
    reset(): void {
      count = 1
      isInString = false
      isAfterBackslash = false
    },
  }
}
