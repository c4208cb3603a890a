import { fitText, graphemesOf, graphemeWidth, textWidth } from './text-width.ts'
import { toSafeText } from './safe-text.ts'
import { plain, type Style } from './style.ts'

/** Markdown that arrives piece by piece, as rows of a terminal. A row that was returned never changes. */
export interface MarkdownState {
  /** The line that has not ended. */
  readonly line: string
  /** The rows of that line that were returned already. */
  readonly shown: number
  /** The marker that ends the code block, inside one. */
  readonly fence: string | undefined
  /** Lines of a table, whose columns are known at its end. */
  readonly table: readonly string[]
}

export interface Page {
  readonly columns: number
  readonly style: Style
}

interface SaidPage {
  columns(): number
  readonly style: Style
}

export const markdownStart: MarkdownState = { line: '', shown: 0, fence: undefined, table: [] }

/** A line of this length is broken, so that the work for each piece stays small. */
const lineCharsMax = 4_000
const tableLinesMax = 500

interface Fed {
  readonly state: MarkdownState
  readonly rows: readonly string[]
}

/** Adds a piece. The text must be safe to show. */
export function feedMarkdown(before: MarkdownState, text: string, page: Page): Fed {
  const rows: string[] = []
  let state = before
  const take = (step: Fed) => {
    rows.push(...step.rows)
    state = step.state
  }
  const [first = '', ...others] = text.split('\n')
  take(growLine(withText(state, first), page))
  for (const piece of others) {
    take(endLine(state, page))
    take(growLine(withText(state, piece), page))
  }
  return { state, rows }
}

function withText(state: MarkdownState, text: string): MarkdownState {
  return { ...state, line: state.line + text }
}

export function endMarkdown(state: MarkdownState, page: Page): readonly string[] {
  const last = state.line === '' ? { state, rows: [] } : endLine(state, page)
  return [...last.rows, ...toTable(last.state.table, page)]
}

/** The row that is still growing. For a line of code, its beginning. */
export function markdownTail(state: MarkdownState, page: Page): string {
  if (state.line === '' || isTableLine(state.line)) return ''
  if (state.fence !== undefined)
    return page.style('cyan', fitText(codeLine(state.line, page).replaceAll('\t', '    '), page.columns))
  return toRows(state, page).at(-1) ?? ''
}

function growLine(state: MarkdownState, page: Page): Fed {
  if (state.line.length > lineCharsMax) return endLine(state, page)
  if (state.fence !== undefined || mayBeMarker(state.line)) return { state, rows: [] }
  const table = toTable(state.table, page)
  const rows = toRows({ ...state, line: withoutLastMarks(state.line) }, page).slice(state.shown, -1)
  return { state: { ...state, shown: state.shown + rows.length, table: [] }, rows: [...table, ...rows] }
}

/** The next character decides whether these are marks or text. */
function withoutLastMarks(line: string): string {
  let end = line.length
  while (end > 0 && '*_`\\'.includes(line.charAt(end - 1))) end--
  return line.slice(0, end)
}

function endLine(state: MarkdownState, page: Page): Fed {
  const { line, shown, fence, table } = state
  const next = { ...state, line: '', shown: 0 }
  if (fence === undefined && isTableLine(line) && table.length < tableLinesMax)
    return { state: { ...next, table: [...table, line] }, rows: [] }
  const rows = [...toTable(table, page), ...toRows(state, page).slice(shown)]
  return { state: { ...next, table: [], fence: fenceAfter(fence, line) }, rows }
}

const codeLine = (line: string, { style }: Pick<Page, 'style'>) => (style === plain ? line : `  ${line}`)

const fenceMark = /^ {0,3}(`{3,}|~{3,})/

function fenceAfter(fence: string | undefined, line: string): string | undefined {
  const mark = fenceMark.exec(line)?.[1]
  if (fence === undefined) return mark
  return mark?.startsWith(fence) === true && line.trim() === mark ? undefined : fence
}

function isTableLine(line: string): boolean {
  return /^\s*\|/.test(line)
}

/** True while the beginning of a line does not say yet what the line is. */
function mayBeMarker(line: string): boolean {
  return /^\s*(?:\||[`~]{1,}|#{1,6}|[-*+>]|\d{1,3}[.)]?)?\s*$/.test(line) || isTableLine(line)
}

function toRows(
  { line, fence }: Pick<MarkdownState, 'line' | 'fence'>,
  { columns, style }: Page,
): readonly string[] {
  // A line of a code block looks different from all others, also without its fence.
  if (fenceMark.test(line) && (fence === undefined || fenceAfter(fence, line) === undefined))
    return style === plain ? [line] : []
  if (fence !== undefined) return [style('cyan', codeLine(line, { style }))]
  const heading = /^ {0,3}#{1,6}\s+(.*)$/.exec(line)
  if (heading !== null) {
    const text = style === plain ? line : (heading[1] ?? '')
    return wrap(toCells(text, style, bold), { columns, first: '', rest: '' }, style)
  }
  const [, indent = '', mark = '', text = ''] =
    /^(\s*)((?:[-*+]|\d{1,9}[.)])\s+|>\s?)?(.*)$/s.exec(line) ?? []
  const lead = indent.replaceAll('\t', '    ').slice(0, Math.max(0, columns - 20))
  const rest = mark.startsWith('>') ? mark : ' '.repeat(mark.length)
  return wrap(
    toCells(text, style, mark.startsWith('>') ? dim : ordinary),
    { columns, first: lead + mark, rest: lead + rest },
    style,
  )
}

interface Cell {
  readonly text: string
  readonly look: Look
}

type Look = number
const ordinary = 0
const bold = 1
const italic = 2
const code = 4
const dim = 8

const punctuation = /^[!-/:-@[-`{-~]$/

/** Applies the marks of a line. Without styles, the marks stay. Escapes are resolved. A mark that is not closed applies until the end of the line. */
function toCells(text: string, style: Style, base: Look): Cell[] {
  const graphemes = graphemesOf(text)
  const cells: Cell[] = []
  let look = base
  for (let at = 0; at < graphemes.length;) {
    const mark = markAt(graphemes, at, look)
    const isEscape =
      mark === undefined &&
      (look & code) === 0 &&
      graphemes[at] === '\\' &&
      punctuation.test(graphemes[at + 1] ?? '')
    if (isEscape) at++
    if (mark === undefined || style === plain)
      cells.push(...graphemes.slice(at, at + (mark?.length ?? 1)).map((text) => ({ text, look })))
    look ^= mark?.look ?? 0
    at += mark?.length ?? 1
  }
  return cells
}

function markAt(
  graphemes: readonly string[],
  at: number,
  look: Look,
): { look: Look; length: number } | undefined {
  const [before = ' ', here = '', next = ' '] = [graphemes[at - 1], graphemes[at], graphemes[at + 1]]
  if (here === '`' && next !== '`' && before !== '`') return { look: code, length: 1 }
  if ((look & code) !== 0 || (here !== '*' && here !== '_')) return undefined
  const length = next === here ? 2 : 1
  const after = graphemes[at + length] ?? ' '
  const kind = length === 2 ? bold : italic
  const isEnd = (look & kind) !== 0
  const touches = isEnd ? before : after
  const beyond = isEnd ? after : before
  if (/\s/.test(touches)) return undefined
  // In the middle of a word, as in snake_case.
  if (here === '_' && /[\p{L}\p{N}_]/u.test(beyond)) return undefined
  return { look: kind, length }
}

interface Frame {
  readonly columns: number
  readonly first: string
  readonly rest: string
}

/** A row of cells and its beginning. Breaks at spaces, and inside a word only if it does not fit on a row. */
function wrapCells(
  cells: readonly Cell[],
  { columns, first, rest }: Frame,
): { lead: string; cells: readonly Cell[] }[] {
  const rows: { lead: string; cells: Cell[] }[] = [{ lead: first, cells: [] }]
  let width = textWidth(first)
  const startRow = (kept: Cell[]) => {
    rows.push({ lead: rest, cells: kept })
    width = textWidth(rest) + kept.reduce((sum, { text }) => sum + graphemeWidth(text), 0)
  }
  for (const cell of cells) {
    const cellWidth = cell.text === '\t' ? 4 : graphemeWidth(cell.text)
    const row = rows.at(-1)?.cells ?? []
    if (width + cellWidth > columns && row.length > 0) {
      if (cell.text === ' ') {
        startRow([])
        continue
      }
      const space = row.findLastIndex(({ text }) => text === ' ')
      startRow(space === -1 ? [] : row.splice(space).slice(1))
    }
    rows.at(-1)?.cells.push(cell.text === '\t' ? { ...cell, text: '    ' } : cell)
    width += cellWidth
  }
  return rows
}

/** Plain text as safe rows that break between words. A line that begins with blanks keeps them. */
export function saidRows(
  text: string,
  format: Parameters<Style>[0],
  { columns, style }: SaidPage,
): readonly string[] {
  return toSafeText(text)
    .split('\n')
    .flatMap((line) => {
      const [indent = ''] = /^ */.exec(line) ?? []
      const words = graphemesOf(line.trimStart()).map((text) => ({ text, look: ordinary }))
      const rows = wrapCells(words, { columns: columns(), first: indent, rest: indent })
      return rows.map(({ lead, cells }) => lead + cells.map((cell) => cell.text).join(''))
    })
    .map((row) => style(format, row))
}

function wrap(cells: readonly Cell[], frame: Frame, style: Style): string[] {
  return wrapCells(cells, frame).map(({ lead, cells: row }) => `${lead}${toStyled(row, style)}`)
}

function toStyled(cells: readonly Cell[], style: Style): string {
  const runs: { text: string; readonly look: Look }[] = []
  for (const { text, look } of cells) {
    const last = runs.at(-1)
    if (last?.look === look) last.text += text
    else runs.push({ text, look })
  }
  return runs.map(({ text, look }) => (look === ordinary ? text : style(formatsOf(look), text))).join('')
}

function formatsOf(look: Look) {
  return [
    ...((look & bold) !== 0 ? ['bold' as const] : []),
    ...((look & italic) !== 0 ? ['italic' as const] : []),
    ...((look & code) !== 0 ? ['cyan' as const] : []),
    ...((look & dim) !== 0 ? ['dim' as const] : []),
  ]
}

const columnCharsMin = 12

/**
 * Aligns the columns of a table. If a row is too wide, the widest column wraps, unless it would become too
 * narrow to read.
 */
function toTable(lines: readonly string[], page: Page): readonly string[] {
  const table = lines.map((line) => splitTableLine(line).map((text) => toCells(text, page.style, ordinary)))
  const widths: number[] = []
  for (const row of table)
    for (const [at, cells] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cells))
  const between = ' | '
  const most = Math.max(0, ...widths)
  const others = widths.reduce((sum, each) => sum + each + between.length, -between.length) - most
  const room = page.columns - others
  if (room < Math.min(most, columnCharsMin))
    return lines.flatMap((line) =>
      wrap(toCells(line, page.style, ordinary), { ...page, first: '', rest: '' }, page.style),
    )
  const narrowed = widths.indexOf(most)
  widths[narrowed] = Math.min(most, room)
  return table.flatMap((row) => {
    const long = row[narrowed] ?? []
    const parts = isRule(long) ? [{ cells: long }] : wrapCells(long, { columns: room, first: '', rest: '' })
    return parts.map((part, index) =>
      row
        .map((whole, at) => {
          const cells = at === narrowed ? part.cells : index === 0 ? whole : []
          const column = widths[at] ?? 0
          return isRule(whole)
            ? '-'.repeat(column)
            : `${toStyled(cells, page.style)}${' '.repeat(column - widthOf(cells))}`
        })
        .join(between)
        .trimEnd(),
    )
  })
}

function isRule(cells: readonly Cell[]): boolean {
  return cells.length > 0 && cells.every(({ text }) => text === '-' || text === ':')
}

function splitTableLine(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').replaceAll('\t', ' ').trim())
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { text }) => sum + graphemeWidth(text), 0)
}
