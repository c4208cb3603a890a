import { messageOf } from '../base/errors.ts'
import { isSliceOver, longList, nextTurn } from '../base/in-slices.ts'
import { formatBytes } from '../base/quantities.ts'

export interface Page {
  readonly items: readonly unknown[]
  readonly nextCursor: unknown
}

export interface Pages {
  readonly items: readonly unknown[]
  /** The reason for ending early, if any. */
  readonly warning?: string
}

const pagesMax = 100
const cursorBytesMax = 64 * 1024
const listBytesMax = 8 * 1024 * 1024

/** Reads a list page by page. If that fails or reaches a limit, keeps what was read. */
export async function readPages(
  itemsMax: number,
  readPage: (cursor: string | undefined) => Promise<Page>,
): Promise<Pages> {
  const items: unknown[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  let bytes = 0
  for (let pages = 1; ; pages++) {
    let page: Page
    try {
      page = await readPage(cursor)
    } catch (error) {
      // Without a first page, there is nothing to keep.
      if (cursor === undefined) throw error
      return { items, warning: `the list ended unexpectedly after ${pages - 1} pages: ${messageOf(error)}` }
    }
    if (page.items.length >= longList) await nextTurn()
    for (const item of page.items) {
      if (items.length > itemsMax) break
      if (isSliceOver()) await nextTurn()
      bytes += jsonBytes(item, listBytesMax - bytes)
      if (bytes > listBytesMax)
        return {
          items,
          warning: `the list is over ${formatBytes(listBytesMax)}; its first ${items.length} entries are used`,
        }
      items.push(item)
    }
    const next = page.nextCursor
    // An empty string is a valid cursor.
    if (typeof next !== 'string') return { items }
    if (seen.has(next)) return { items, warning: 'the list repeats itself' }
    if (Buffer.byteLength(next) > cursorBytesMax)
      return { items, warning: `a cursor of the list is larger than ${formatBytes(cursorBytesMax)}` }
    if (pages >= pagesMax) return { items, warning: `the list has more than ${pagesMax} pages` }
    if (items.length > itemsMax) return { items }
    seen.add(next)
    cursor = next
  }
}

/** Estimated overhead of one value, not counting its text. */
const valueBytes = 8

/** Estimates the size of a JSON value in bytes. Stops counting once the sum exceeds `bytesMax`. */
export function jsonBytes(value: unknown, bytesMax: number): number {
  let bytes = valueBytes
  const waiting = [value]
  while (waiting.length > 0 && bytes <= bytesMax) {
    const next = waiting.pop()
    if (typeof next === 'string') bytes += Buffer.byteLength(next)
    if (typeof next !== 'object' || next === null) continue
    const inner: readonly unknown[] = Array.isArray(next) ? next : Object.values(next)
    bytes += inner.length * valueBytes
    if (bytes > bytesMax) break
    if (inner !== next) for (const key of Object.keys(next)) bytes += Buffer.byteLength(key)
    for (const each of inner) waiting.push(each)
  }
  return bytes
}
