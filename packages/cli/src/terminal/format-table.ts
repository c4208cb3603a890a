import { stripVTControlCharacters, styleText } from 'node:util'

export type Cell = string | StyledCell

export interface StyledCell {
  readonly text: string
  readonly style: 'bold' | 'dim' | 'green' | 'red' | 'yellow'
}

/** The first row of a table. */
export function headerOf(...names: readonly string[]): Cell[] {
  return names.map((text) => ({ text, style: 'bold' }))
}

/** Formats columns with two spaces between them and no trailing spaces. `styleText` adds colors only on a terminal. */
export function formatTable(rows: readonly (readonly Cell[])[], indent = ''): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, textOf(cell).length)
  const format = (cell: Cell, column: number, row: readonly Cell[]) => {
    const padding = column === row.length - 1 ? '' : ' '.repeat((widths[column] ?? 0) - textOf(cell).length)
    return `${typeof cell === 'string' ? textOf(cell) : styleText(cell.style, textOf(cell))}${padding}`
  }
  return rows
    .map((row) => `${indent}${row.map((cell, column) => format(cell, column, row)).join('  ')}`.trimEnd())
    .join('\n')
}

function textOf(cell: Cell): string {
  return toShownLine(typeof cell === 'string' ? cell : cell.text)
}

/** Removes control characters that could move the cursor or hide text. */
export function toShown(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{C}\n\t]/gu, '')
}

/** The same for a text that must stay on one line. */
export function toShownLine(text: string): string {
  return toShown(text).replace(/\s+/g, ' ')
}
