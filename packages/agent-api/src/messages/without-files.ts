import { isRecord } from '../base/is-record.ts'
import { binaryLength, describe } from './tool-output.ts'
import type { ToolOutput } from './tool.ts'

/** Servers often repeat an image, audio or blob of `content` there. As text, its base64 would only fill the conversation. */
export function withoutFiles(structured: unknown, content: readonly ToolOutput[]): unknown {
  const files = new Map(
    content.flatMap((item) =>
      binaryLength(item) > 0 ? [[dataOf(item), `[${describe(item)}]`] as const] : [],
    ),
  )
  return countValues(structured, valuesMax) > valuesMax ? structured : replaceIn(structured, files)
}

/** Content with more values is too long to be shown, so it is left out as a whole. */
const valuesMax = 50_000

function countValues(value: unknown, max: number): number {
  const open: unknown[] = [value]
  let count = 0
  while (open.length > 0 && count <= max) {
    const next = open.pop()
    count++
    if (typeof next !== 'object' || next === null) continue
    for (const inner of Object.values(next)) if (open.length + count <= max) open.push(inner)
  }
  return count + open.length
}

export function isFile(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false
  const { type, data, blob, uri } = value
  return (
    ((type === 'image' || type === 'audio') && typeof data === 'string') ||
    (typeof blob === 'string' && typeof uri === 'string')
  )
}

function replaceIn(value: unknown, files: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return files.get(value) ?? files.get(value.replace(/^data:[^,]{0,200};base64,/, '')) ?? value
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, files))
  if (!isRecord(value)) return value
  const key = isFile(value) ? ('blob' in value ? 'blob' : 'data') : undefined
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === key ? describeData(value, String(inner)) : replaceIn(inner, files),
    ]),
  )
}

function describeData({ mimeType }: Readonly<Record<string, unknown>>, data: string): string {
  // No base64 contains a bracket.
  return data.startsWith('[')
    ? data
    : `[${typeof mimeType === 'string' ? mimeType : 'a file'} of ${Math.ceil((data.length * 3) / 4 / 1024)} KiB]`
}

function dataOf(item: ToolOutput): string {
  if (item.type === 'image' || item.type === 'audio') return item.data
  return item.type === 'resource' && 'blob' in item.resource ? item.resource.blob : ''
}
