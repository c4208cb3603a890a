import { isSliceOver, nextTurn } from './in-slices.ts'
import { createValueCounter } from './value-counter.ts'

/** So much is parsed in one go: about a millisecond. */
const pieceCharsDefault = 128 * 1024
/** Each level is looked through once more. What is large and lies deeper is parsed as a whole. */
const levelsMax = 6

interface SliceOptions {
  readonly pieceCharsMax?: number
  /** Of an object itself, and of a part that is parsed as a whole. With more, nothing is parsed. */
  readonly partValuesMax?: number
}

/** One part of the text can be built only in one go, and would block the event loop. */
export class TooManyValues extends Error {}

/** As `JSON.parse`, but a long text is taken apart into short ones, so that everything else gets its turn in between. */
export async function parseJsonInSlices(text: string, options: SliceOptions = {}): Promise<unknown> {
  return parsePart(text.trim(), { pieceCharsMax: pieceCharsDefault, partValuesMax: Infinity, ...options }, 1)
}

async function parsePart(text: string, options: Required<SliceOptions>, level: number): Promise<unknown> {
  const { pieceCharsMax, partValuesMax } = options
  if (isSliceOver()) await nextTurn()
  const [open, close] = text.startsWith('{') ? ['{', '}'] : ['[', ']']
  if (text.length <= pieceCharsMax) return JSON.parse(text)
  if (level > levelsMax || !text.startsWith(open) || !text.endsWith(close)) {
    if (await holdsMoreValues(text, partValuesMax)) throw new TooManyValues()
    return JSON.parse(text)
  }
  const isList = open === '['
  const members: unknown[] = []
  const last = text.length - 1
  let from = 1
  while (from <= last) {
    let to = memberEnd(text, from, last)
    const isLarge = to - from > pieceCharsMax
    // Small members make up one piece, as many as fit.
    while (!isLarge && to < last) {
      const next = memberEnd(text, to + 1, last)
      if (next - from > pieceCharsMax) break
      to = next
    }
    const piece = text.slice(from, to)
    if (piece.trim() === '') {
      // Only an empty list or object has nothing between its ends.
      if (from > 1 || to < last) throw new SyntaxError('a comma is too many')
    } else if (isLarge) members.push(await parseMember(piece))
    else for (const member of parsePiece(piece)) members.push(member)
    if (!isList && members.length > partValuesMax) throw new TooManyValues()
    if (to === last) break
    from = to + 1
    if (isSliceOver()) await nextTurn()
  }
  return isList ? members : Object.fromEntries(members as [string, unknown][])

  function parsePiece(piece: string): readonly unknown[] {
    const value = JSON.parse(`${open}${piece}${close}`) as object
    return isList ? (value as unknown[]) : Object.entries(value)
  }

  async function parseMember(member: string): Promise<unknown> {
    if (isList) return parsePart(member.trim(), options, level + 1)
    const keyStart = member.search(/\S/)
    const keyEnd = member[keyStart] === '"' ? stringEnd(member, keyStart) : 0
    const [key] = Object.keys(JSON.parse(`{${member.slice(keyStart, keyEnd)}:0}`) as object)
    const rest = member.slice(keyEnd).trimStart()
    if (!rest.startsWith(':')) throw new SyntaxError('a colon is missing')
    return [key, await parsePart(rest.slice(1).trim(), options, level + 1)]
  }
}

async function holdsMoreValues(text: string, valuesMax: number): Promise<boolean> {
  const values = createValueCounter()
  for (let at = 0; at < text.length && values.count <= valuesMax; at += pieceCharsDefault) {
    if (isSliceOver()) await nextTurn()
    const piece = Buffer.from(text.slice(at, at + pieceCharsDefault))
    values.add(piece, 0, piece.length)
  }
  return values.count > valuesMax
}

/** Where the member ends that begins at `from`: at a comma, or with its list or object. */
function memberEnd(text: string, from: number, last: number): number {
  let depth = 0
  for (let at = from; at < last; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = stringEnd(text, at) - 1
        break
      case 0x7b:
      case 0x5b:
        depth++
        break
      case 0x7d:
      case 0x5d:
        depth--
        break
      case 0x2c:
        if (depth === 0) return at
        break
      default:
    }
  }
  return last
}

/** Behind the quote that ends the string which begins at `start`. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) return at + 1
    // The next one is escaped.
    if (unit === 0x5c) at++
  }
  throw new SyntaxError('a string has no end')
}
