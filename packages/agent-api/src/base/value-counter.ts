/** Counts the values of a JSON text while it arrives: the time that a parser takes depends on these more than on the bytes. */
export interface ValueCounter {
  readonly count: number
  /** The bytes of a piece between these two places. */
  add(piece: Uint8Array, from: number, to: number): void
  /** A new text begins. */
  reset(): void
}

const quote = 0x22
const backslash = 0x5c
const space = 0x20
/** 1 for a comma, an opening bracket and an opening brace. */
const beginsValue = new Uint8Array(256)
beginsValue[0x2c] = beginsValue[0x5b] = beginsValue[0x7b] = 1

/** A value is the first of all, or the first in a list or an object, or follows a comma. An empty list or object counts as two. */
export function createValueCounter(): ValueCounter {
  let count = 1
  let isInString = false
  let isAfterBackslash = false

  /** These loops see each byte that a server sends. */
  function add(piece: Uint8Array, from: number, to: number) {
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

  /** Skips to what needs a decision, decides it, and returns the place behind it. */
  function skipString(piece: Uint8Array, from: number, to: number): number {
    let at = from
    let byte = piece[at] ?? 0
    const isEscaped = isAfterBackslash && (byte === quote || byte === backslash)
    isAfterBackslash = false
    if (isEscaped) return at + 1
    while (at < to && byte !== quote && byte !== backslash && byte >= space) byte = piece[++at] ?? 0
    if (at === to) return at
    isAfterBackslash = byte === backslash
    // A string ends with its line at the latest. In an event stream, the next line may be of another field.
    isInString = isAfterBackslash
    return at + 1
  }

  return {
    get count() {
      return count
    },
    add,
    reset() {
      count = 1
      isInString = false
      isAfterBackslash = false
    },
  }
}
