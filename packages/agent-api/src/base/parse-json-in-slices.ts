import { isSliceOver, nextTurn } from './in-slices.ts'
import { createValueCounter } from './value-counter.ts'

/** Number of characters that are parsed in one go. This takes about a millisecond. */
const pieceCharsDefault = 128 * 1024
/** Each level scans its text once more, so larger values below this depth are parsed in one go. */
const levelsMax = 6

interface SliceOptions {
  readonly pieceCharsMax?: number
  /** Maximum number of members of an object, and of values in a part that is parsed in one go. Larger texts are rejected. */
  readonly partValuesMax?: number
  /** The same for the whole text. */
  readonly valuesMax?: number
}

/** Thrown if the text would take too much memory, or a part of it can only be built in one go and would block the event loop. */
export class TooManyValues extends Error {
  /** `where` completes the sentence "the text holds more than … values". */
  constructor(valuesMax: number, where = '') {
    super(`holds more than ${valuesMax} values${where}`)
  }
}

/** Like `JSON.parse`, but splits a long text into short ones so that other work can run in between. */
export async function parseJsonInSlices(text: string, options: SliceOptions = {}): Promise<unknown> {
  const { valuesMax = Infinity } = options
  if (valuesMax < Infinity && (await holdsMoreValues(text, valuesMax))) throw new TooManyValues(valuesMax)
  return parsePart(text.trim(), { pieceCharsMax: pieceCharsDefault, partValuesMax: Infinity, ...options, valuesMax }, 1)
}

async function parsePart(text: string, options: Required<SliceOptions>, level: number): Promise<unknown> {
  const { pieceCharsMax, partValuesMax } = options
  if (isSliceOver()) await nextTurn()
  const [open, close] = text.startsWith('{') ? ['{', '}'] : ['[', ']']
  if (text.length <= pieceCharsMax) return JSON.parse(text)
  if (level > levelsMax || !text.startsWith(open) || !text.endsWith(close)) {
    if (await holdsMoreValues(text, partValuesMax)) throw new TooManyValues(partValuesMax, ' in one part')
    return JSON.parse(text)
  }
  const isList = open === '['
  const members: unknown[] = []
  const last = text.length - 1
  let from = 1
  while (from <= last) {
    const pieceEnd = Math.min(last, from + pieceCharsMax)
    const scan: Scan = { at: from, depth: 0, isInString: false }
    const isLarge = !findMemberEnd(text, scan, pieceEnd, last)
    if (isLarge) while (!findMemberEnd(text, scan, Math.min(last, scan.at + pieceCharsDefault), last)) if (isSliceOver()) await nextTurn()
    let to = scan.at
    // Combine as many small members as fit into one piece.
    while (!isLarge && to < last) {
      scan.at = to + 1
      if (!findMemberEnd(text, scan, pieceEnd, last)) break
      to = scan.at
    }
    const piece = text.slice(from, to)
    if (piece.trim() === '') {
      // Only an empty list or object has nothing between its brackets.
      if (from > 1 || to < last) throw new SyntaxError('unexpected comma')
    } else if (isLarge) members.push(await parseMember(piece))
    else for (const member of parsePiece(piece)) members.push(member)
    if (!isList && members.length > partValuesMax) throw new TooManyValues(partValuesMax, ' in one part')
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
    if (!rest.startsWith(':')) throw new SyntaxError('missing colon')
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

/** A position between or inside the members of a list or object. */
interface Scan {
  at: number
  depth: number
  isInString: boolean
}

/** Advances to the end of the member (a comma or `last`), but not beyond `until`. Returns true when it gets there. */
function findMemberEnd(text: string, scan: Scan, until: number, last: number): boolean {
  let { at, depth, isInString } = scan
  let isComma = false
  for (; at < until; at++) {
    const unit = text.charCodeAt(at)
    if (isInString) {
      // Skip the escaped character.
      if (unit === 0x5c) at++
      else isInString = unit !== 0x22
    } else if (unit === 0x22) isInString = true
    else if (unit === 0x7b || unit === 0x5b) depth++
    else if (unit === 0x7d || unit === 0x5d) depth--
    else if (unit === 0x2c && depth === 0) {
      isComma = true
      break
    }
  }
  scan.at = Math.min(at, last)
  scan.depth = depth
  scan.isInString = isInString
  return isComma || at >= last
}

/** Returns the position after the closing quote of the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) return at + 1
    // Skip the escaped character.
    if (unit === 0x5c) at++
  }
  throw new SyntaxError('unterminated string')
}
