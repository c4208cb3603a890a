import { isDeepStrictEqual } from 'node:util'
import { isMap, isScalar, isSeq, parseDocument, stringify, type Scalar, type YAMLMap } from 'yaml'
import { blankComments, type ConfigPath, isTexts } from '@ostler/agent-api/internal'
import {
  columnOf,
  dashOf,
  endOf,
  endOfLine,
  indexOf,
  itemAt,
  pairAt,
  startOf,
  stuck,
  valueOf,
  type Collection,
  type Place,
} from './config-text-places.ts'

/** `value` is undefined if the field is removed. */
export interface TextChange {
  readonly path: ConfigPath
  readonly value: unknown
}

/** Keeps every other character: comments, order and formatting. Undefined if that is impossible, for example because of an anchor. */
export function editConfigText(
  file: string,
  text: string,
  changes: readonly TextChange[],
): string | undefined {
  const isJson = /\.jsonc?$/i.test(file)
  const isCrlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text)
  const lines = isCrlf ? text.replaceAll('\r\n', '\n') : text
  const isOpen = !isJson && lines !== '' && !lines.endsWith('\n')
  const before = isOpen ? `${lines}\n` : lines
  const lastLine = before.slice(before.lastIndexOf('\n', before.length - 2) + 1)
  try {
    const wanted = changes.reduce(
      (data, { path, value }) => withChange(data, path, value),
      toData(parse(before, isJson)),
    )
    for (const isQuoted of [false, true]) {
      const edited = changes.reduce(
        (last, { path, value }) => changeText(last, { isJson, isQuoted }, path, value),
        before,
      )
      // The last line stays as it was, without its line break.
      const after = isOpen && edited.endsWith(lastLine) ? edited.slice(0, -1) : edited
      if (isDeepStrictEqual(toData(parse(after, isJson)), wanted))
        return isCrlf ? after.replaceAll('\n', '\r\n') : after
    }
    return undefined
  } catch (error) {
    if (error === stuck) return undefined
    throw error
  }
}

function parse(text: string, isJson: boolean) {
  return parseDocument(isJson ? blankComments(text).replaceAll('\t', ' ') : text, { prettyErrors: false })
}

function toData(document: ReturnType<typeof parse>): unknown {
  if (document.errors.length > 0) throw stuck
  return (document.toJS() as unknown) ?? {}
}

interface Source {
  readonly text: string
  readonly isJson: boolean
  /** A text of several lines is put in quotes. Otherwise it is a block, which is not possible everywhere. */
  readonly isQuoted: boolean
  readonly step: number
}

function changeText(
  text: string,
  format: Pick<Source, 'isJson' | 'isQuoted'>,
  path: ConfigPath,
  value: unknown,
): string {
  const { isJson } = format
  const { contents } = parse(text, isJson)
  const source: Source = { text, ...format, step: stepOf(text) }
  if (!isMap(contents)) {
    if (contents !== null && !(isScalar(contents) && contents.value === null)) throw stuck
    return value === undefined ? text : appendBlock(source, wrap(path, value))
  }
  const items = itemChanges(contents.getIn(path), value)
  if (items !== undefined)
    return items.reduce((edited, [index, item]) => changeText(edited, format, [...path, index], item), text)
  return change(source, contents, path, value)
}

/** Remaining items keep their lines and comments. Undefined if the list has to be rewritten. */
function itemChanges(
  list: unknown,
  wanted: unknown,
): readonly (readonly [number, string | undefined])[] | undefined {
  const had: unknown = isSeq(list) ? list.toJSON() : undefined
  if (!isTexts(had) || !isTexts(wanted) || new Set(had).size !== had.length) return undefined
  const kept = had.filter((item) => wanted.includes(item))
  if (kept.length === 0 || !kept.every((item, index) => item === wanted[index])) return undefined
  return [
    ...had
      .flatMap((item, index) => (wanted.includes(item) ? [] : [[index, undefined] as const]))
      .toReversed(),
    ...wanted.slice(kept.length).map((item, offset) => [kept.length + offset, item] as const),
  ]
}

function change(source: Source, root: YAMLMap, path: ConfigPath, value: unknown): string {
  let parent: Collection = root
  const places: Place[] = []
  for (const [depth, key] of path.entries()) {
    const index = indexOf(parent, key)
    const rest = path.slice(depth + 1)
    if (index === -1)
      return value === undefined
        ? source.text
        : insert(source, parent, key, wrap(rest, value), parent === root)
    places.push({ parent, index })
    if (rest.length === 0) break
    const next = valueOf(parent, index)
    if (isMap(next) || isSeq(next)) parent = next
    else if (isScalar(next) && next.value === null && isMap(parent))
      return value === undefined ? source.text : replace(source, { parent, index }, wrap(rest, value))
    else throw stuck
  }
  const place = places.at(-1)
  if (place === undefined) throw stuck
  if (value !== undefined) return replace(source, place, value)
  // Also remove a parent that would be left empty.
  const whole =
    places.findLast(({ parent: own }, depth) => depth === 0 || own.items.length > 1 || isSeq(own)) ?? place
  return remove(source, whole)
}

function replace(source: Source, { parent, index }: Place, value: unknown): string {
  const { text, isJson } = source
  const node = valueOf(parent, index)
  const isInline = parent.flow === true || isJson
  const start = startOf(node)
  const end = endOf(node)
  const isBlock = isOfLines(value) && !isInline && !source.isQuoted
  if (
    isScalarValue(value) &&
    isScalar(node) &&
    start !== end &&
    !String(node.type).startsWith('BLOCK') &&
    !isBlock
  )
    return splice(
      text,
      start,
      end,
      isJson || isOfLines(value) ? JSON.stringify(value) : scalarText(value, node),
    )
  if (isInline) return splice(text, start, end, flowText(source, value, start))
  if (!isMap(parent)) throw stuck

  const pair = pairAt(parent, index)
  const colon = text.indexOf(':', endOf(pair.key))
  const lineEnd = endOfLine(text, colon)
  const comment = /^\s*#.*$/.exec(text.slice(colon + 1, lineEnd))?.[0].trim()
  const shown = blockText(value, columnOf(text, startOf(pair.key)), source)
  const beside = comment === undefined ? '' : ` ${comment}`
  const filled = shown.startsWith('\n') ? `${beside}${shown}` : `${shown}${beside}`
  return splice(
    text,
    colon + 1,
    Math.max(start === end ? colon + 1 : end, comment === undefined ? 0 : lineEnd),
    filled,
  )
}

function insert(
  source: Source,
  parent: Collection,
  key: string | number,
  value: unknown,
  isRoot: boolean,
): string {
  const { text, isJson } = source
  const entry = isMap(parent) ? { [key]: value } : [value]
  const last = parent.items.length - 1
  if (parent.flow === true || isJson) {
    const start = startOf(parent)
    if (last === -1) return splice(text, start, endOf(parent), flowText(source, entry, start))
    return insertInFlow(source, parent, isMap(parent) ? `${keyText(source, String(key))}: ` : '', value)
  }
  if (isRoot) return appendBlock(source, entry)
  if (last === -1) throw stuck
  const from = isMap(parent) ? startOf(pairAt(parent, 0).key) : dashOf(text, parent, 0)
  const lines = blockText(entry, columnOf(text, from) - source.step, source)
  return splice(text, endOfLine(text, endOf(itemAt(parent, last))), undefined, lines)
}

function insertInFlow(source: Source, parent: Collection, label: string, value: unknown): string {
  const { text } = source
  const last = itemAt(parent, parent.items.length - 1)
  const end = endOf(last)
  const close = endOf(parent) - 1
  const comma = /^\s*,/.exec(
    source.isJson ? blankComments(text).slice(end, close) : text.slice(end, close),
  )?.[0]
  const isOnLines = text.slice(startOf(parent), startOf(itemAt(parent, 0))).includes('\n')
  if (!isOnLines)
    return splice(
      text,
      end + (comma?.length ?? 0),
      undefined,
      `${comma === undefined ? ',' : ''} ${label}${flowText(source, value, startOf(parent))}`,
    )
  const at = startOf(itemAt(parent, 0))
  const lineEnd = endOfLine(text, end)
  const line = `\n${' '.repeat(columnOf(text, at))}${label}${flowText(source, value, at)}`
  return splice(splice(text, lineEnd, undefined, line), end, undefined, comma === undefined ? ',' : '')
}

function remove({ text }: Source, { parent, index }: Place): string {
  const item = itemAt(parent, index)
  const next = parent.items.length > index + 1 ? itemAt(parent, index + 1) : undefined
  if (parent.flow === true) {
    if (next !== undefined) return splice(text, startOf(item), startOf(next), '')
    return splice(text, index > 0 ? endOf(itemAt(parent, index - 1)) : startOf(item), endOf(item), '')
  }
  const from = isMap(parent) ? startOf(item) : dashOf(text, parent, index)
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  // Later fields on the same line need the dash of the list.
  if (text.slice(lineStart, from).trim() !== '') {
    if (next === undefined) throw stuck
    return splice(text, from, startOf(next), '')
  }
  const rest = splice(text, lineStart, Math.min(endOfLine(text, endOf(item)) + 1, text.length), '')
  return isSeq(parent) && parent.items.length === 1
    ? splice(rest, keyEndBefore(text, lineStart), undefined, ' []')
    : rest
}

/** The position after the key and colon of a block. Comments may come between them. */
function keyEndBefore(text: string, blockStart: number): number {
  let end = blockStart
  for (;;) {
    if (end === 0) throw stuck
    const start = text.lastIndexOf('\n', end - 2) + 1
    const line = text.slice(start, end)
    if (!/^\s*(?:#.*)?\s*$/.test(line)) {
      const key = /^.*?:(?=\s*$|\s+#)/.exec(line)?.[0]
      if (key === undefined) throw stuck
      return start + key.length
    }
    end = start
  }
}

/** Appends at the end of the file, where no comment is separated from its field. */
function appendBlock(source: Source, entry: unknown): string {
  const { text, isJson, step } = source
  if (isJson) return `${JSON.stringify(entry, null, step)}\n`
  const body = blockText(entry, -step, source).slice(1)
  const isAiry = /\n\n/.test(text.trimEnd())
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return `${before}${isAiry && !before.endsWith('\n\n') ? '\n' : ''}${body}\n`
}

/** The text after a `key:` at the given column: ` value`, or lines that begin with a line break. */
function blockText(
  value: unknown,
  column: number,
  { step, isQuoted }: Pick<Source, 'step' | 'isQuoted'>,
): string {
  const quotes = isQuoted ? { blockQuote: false } : {}
  const options = { lineWidth: 0, indent: Math.max(step, 1), indentSeq: true, ...quotes }
  // Only in a map, the lines of a text are indented.
  if (isOfLines(value))
    return stringify({ k: value }, options)
      .slice('k:'.length)
      .trimEnd()
      .replaceAll('\n', `\n${' '.repeat(Math.max(column, 0))}`)
  const shown = stringify(value, options).trimEnd()
  if (
    isScalarValue(value) ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  )
    return ` ${shown}`
  return shown
    .split('\n')
    .map((line) => `\n${' '.repeat(column + step)}${line}`)
    .join('')
}

function flowText({ text, isJson, step }: Source, value: unknown, at: number): string {
  if (!isJson) return stringify(value, { collectionStyle: 'flow', lineWidth: 0, blockQuote: false }).trimEnd()
  const indent = /^\s*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0].replaceAll('\n', '') ?? ''
  if (isTexts(value) && value.length < 4) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
  return JSON.stringify(value, null, step).replaceAll('\n', `\n${indent}`)
}

function keyText({ isJson }: Source, key: string): string {
  return isJson ? JSON.stringify(key) : stringify(key, { lineWidth: 0 }).trimEnd()
}

/** Keeps the quotes of the old value. */
function scalarText(value: unknown, { type }: Scalar): string {
  const quotes = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' ? { defaultStringType: type } : {}
  return stringify(value, { ...quotes, lineWidth: 0 }).trimEnd()
}

function wrap(path: ConfigPath, value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }),
    value,
  )
}

function withChange(data: unknown, [key, ...rest]: ConfigPath, value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(data)) {
    const list: unknown[] = [...data]
    if (rest.length === 0 && value === undefined) list.splice(Number(key), 1)
    else list[Number(key)] = withChange(list[Number(key)], rest, value)
    return list
  }
  const map = typeof data === 'object' && data !== null ? { ...(data as Record<string, unknown>) } : {}
  const inner = withChange(map[key], rest, value)
  const isEmptied = inner !== undefined && value === undefined && isDeepStrictEqual(inner, {})
  if (inner === undefined || isEmptied) delete map[key]
  else map[key] = inner
  return map
}

function stepOf(text: string): number {
  return (
    /^[^\s#/-][^\n]*?[:{[] *(?:(?:#|\/\/)[^\n]*)?\n(?:\s*(?:#|\/\/)[^\n]*\n)*( +)\S/m.exec(text)?.[1]
      ?.length ?? 2
  )
}

function splice(text: string, start: number, end: number | undefined, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end ?? start)
}

function isScalarValue(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function isOfLines(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\n')
}
