import { formatDuration } from '@ostler/agent-api/internal'
import type { LiveRows } from '../../terminal/live-region.ts'
import type { Style } from '../../terminal/style.ts'
import { fitText, graphemesOf, graphemeWidth, textWidth } from '../../terminal/text-width.ts'
import type { ChatState } from './chat-state.ts'

/** The contents of the status line. All texts are safe to show. */
export interface Status {
  readonly model: string
  readonly mode: string
  readonly contextUsed: number
  readonly contextSize: number
  readonly cost?: { readonly amount: number; readonly currency: string }
  readonly doing: string
  readonly doingMs: number
}

export interface View {
  readonly state: ChatState
  readonly status: Status
  /** The row of the answer that is still growing. It may have styles. */
  readonly tail: string
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

const menuRowsMax = 6
/** Number of rows besides those of the line: the tail, the activity and the status. */
const otherRows = 4

/** The rows below the conversation, and the place of the cursor. */
export function toLiveRows({ state, status, tail }: View, { columns, rows }: Size, style: Style): LiveRows {
  const width = Math.max(8, columns - 1)
  const { asked } = state
  const isWorking = state.isBusy && asked.type === 'prompt'
  const head = [
    ...(tail === '' ? [] : [tail]),
    ...(isWorking ? [style('dim', fitText(toDoing(status), width))] : []),
  ]
  const choices =
    asked.type === 'choice' ? asked.choices.map(({ key, label }) => fitText(`  ${key}  ${label}`, width)) : []
  const label =
    asked.type === 'prompt' ? '> ' : asked.type === 'line' ? `${asked.label}: ` : `${asked.label} `
  const menu = state.menu
    .slice(0, menuRowsMax)
    .map(({ label: name, description = '' }) => fitText(`  ${name}  ${description}`.trimEnd(), width))
  const roomForLine = Math.max(1, rows - otherRows - menu.length - choices.length)
  const line = toLineRows(label, state, width, roomForLine)
  const foot = state.hint === '' ? toStatusLine(status, width) : fitText(state.hint, width)
  return {
    rows: [...head, ...choices, ...line.rows, ...menu.map((row) => style('dim', row)), style('dim', foot)],
    cursor: { row: head.length + choices.length + line.cursor.row, column: line.cursor.column },
  }
}

/** The typed text, wrapped at the width. For a long text, only the part around the cursor. */
function toLineRows(label: string, { line }: ChatState, width: number, rowsMax: number): LiveRows {
  const first = fitText(label, width - 2)
  const indent = ' '.repeat(Math.min(2, textWidth(first)))
  const rows: string[] = [first]
  let column = textWidth(first)
  let cursor = { row: 0, column }
  let at = 0
  for (const grapheme of graphemesOf(line.text)) {
    if (at === line.cursor) cursor = { row: rows.length - 1, column }
    at += grapheme.length
    const shown = grapheme === '\t' ? '  ' : grapheme === '\n' ? '' : grapheme
    const shownWidth = grapheme === '\t' ? 2 : graphemeWidth(shown)
    if (grapheme === '\n' || column + shownWidth > width) {
      rows.push(indent)
      column = indent.length
    }
    rows[rows.length - 1] += shown
    column += shownWidth
  }
  if (at === line.cursor) cursor = { row: rows.length - 1, column }
  const from = Math.max(0, Math.min(cursor.row - Math.floor(rowsMax / 2), rows.length - rowsMax))
  return { rows: rows.slice(from, from + rowsMax), cursor: { ...cursor, row: cursor.row - from } }
}

function toDoing({ doing, doingMs }: Status): string {
  const seconds = Math.floor(doingMs / 1_000)
  return `${doing}${seconds === 0 ? '' : ` ${formatDuration(seconds * 1_000)}`} (Esc cancels)`
}

function toStatusLine({ model, mode, contextUsed, contextSize, cost }: Status, width: number): string {
  const percent = contextSize === 0 ? 0 : Math.round((contextUsed / contextSize) * 100)
  const context = contextSize === 0 ? '' : `context ${percent}% of ${toTokens(contextSize)}`
  const price = cost === undefined ? '' : `${cost.amount.toFixed(cost.amount < 1 ? 4 : 2)} ${cost.currency}`
  return fitText([model, mode, context, price].filter((part) => part !== '').join(' · '), width)
}

function toTokens(count: number): string {
  if (count >= 1_000_000) return `${Math.round(count / 100_000) / 10}M`
  return count >= 1_000 ? `${Math.round(count / 1_000)}k` : String(count)
}
