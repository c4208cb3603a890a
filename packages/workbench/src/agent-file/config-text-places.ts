import { isMap, isPair, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from 'yaml'

export type Collection = YAMLMap | YAMLSeq
export type Place = { readonly parent: Collection; readonly index: number }

/** The shape of the text is not supported. Caught by `editConfigText`. */
export const stuck = new Error('cannot be edited')

export function indexOf(parent: Collection, key: string | number): number {
  if (isSeq(parent)) return typeof key === 'number' && key < parent.items.length ? key : -1
  return parent.items.findIndex(
    (pair) => isPair(pair) && isScalar(pair.key) && String(pair.key.value) === String(key),
  )
}

export function valueOf(parent: Collection, index: number): unknown {
  return isMap(parent) ? pairAt(parent, index).value : parent.items[index]
}

export function pairAt(parent: YAMLMap, index: number): Pair {
  const pair = parent.items[index]
  if (pair === undefined || !isScalar(pair.key)) throw stuck
  return pair
}

export function itemAt(parent: Collection, index: number): unknown {
  return isMap(parent) ? pairAt(parent, index) : parent.items[index]
}

export function startOf(node: unknown): number {
  if (isPair(node)) return startOf(node.key)
  const start = isScalar(node) || isMap(node) || isSeq(node) ? node.range?.[0] : undefined
  if (start === undefined) throw stuck
  return start
}

/** The end of the written content. The range of a block node also includes the comments and empty lines after it. */
export function endOf(node: unknown): number {
  if (isPair(node)) {
    // A key without a value ends with its colon.
    const end =
      isScalar(node.value) && node.value.range?.[0] === node.value.range?.[1] ? undefined : node.value
    return end === undefined || end === null ? endOf(node.key) + 1 : endOf(end)
  }
  if (isMap(node) || isSeq(node)) {
    const last = node.items.length - 1
    if (node.flow === true || last === -1) return node.range?.[1] ?? -1
    return endOf(itemAt(node, last))
  }
  if (!isScalar(node) || node.range == null) throw stuck
  // The range of a text of several lines includes its last line break.
  return node.range[1] - (String(node.type).startsWith('BLOCK') ? 1 : 0)
}

export function dashOf(text: string, list: YAMLSeq, index: number): number {
  const start = startOf(list.items[index])
  const dash = text.lastIndexOf('-', start - 1)
  if (dash === -1 || text.slice(dash + 1, start).trim() !== '') throw stuck
  return dash
}

export function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1)
}

export function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end === -1 ? text.length : end
}
