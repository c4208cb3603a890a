import { styleText } from 'node:util'
import { toJsonEscape } from '@ostler/agent-api/internal'
import type { Io } from './io.ts'
import { toShown, toShownLine } from './safe-text.ts'

/** JSON for programs. Characters that could move a terminal's cursor or hide something are written as `\uXXXX`. */
export function toPrintedJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(/[^\P{C}\n]/gu, toJsonEscape)}\n`
}

/** The same on one line. */
export function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(/\p{C}/gu, toJsonEscape)}\n`
}

export function printJson({ stdout }: Pick<Io, 'stdout'>, value: unknown): void {
  stdout.write(toPrintedJson(value))
}

interface Format {
  readonly json?: boolean | undefined
}

/** Prints the answer of a command: with `--json` for a program, otherwise as a text for a person. */
export function print<T>(
  { stdout }: Pick<Io, 'stdout'>,
  { json }: Format,
  answer: T,
  toText: (answer: T) => string,
): void {
  stdout.write(json === true ? toPrintedJson(answer) : withLineEnd(toText(answer)))
}

/** Prints one page of a list, and says on a terminal that there are more. */
export function printPage<T extends { readonly next: unknown }>(
  io: Pick<Io, 'stdout' | 'stderr'>,
  format: Format,
  page: T,
  toText: (page: T) => string,
): void {
  print(io, format, page, toText)
  if (format.json !== true && page.next !== null && io.stderr.isTTY === true)
    io.stderr.write('There are more. Use --limit to show them.\n')
}

export function say({ stdout }: Pick<Io, 'stdout'>, text: string): void {
  stdout.write(`${toShown(text)}\n`)
}

export function warn({ stderr }: Pick<Io, 'stderr'>, text: string): void {
  stderr.write(`ostler: ${toShown(text)}\n`)
}

/** Prints a server's text as it is for programs, and without control characters on a terminal. */
export function printServerText({ stdout }: Pick<Io, 'stdout'>, text: string): void {
  const whole = text === '' ? '' : withLineEnd(text)
  stdout.write(stdout.isTTY === true ? toShown(whole) : whole)
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

export type Cell = string | StyledCell

export interface StyledCell {
  readonly text: string
  readonly style: 'bold' | 'dim' | 'green' | 'red' | 'yellow'
}

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

/** A table with a header, or a sentence instead of a header alone. */
export function formatList(rows: readonly (readonly Cell[])[], ifEmpty: string): string {
  return rows.length > 1 ? formatTable(rows) : ifEmpty
}

/** Rows of a label and a text. A fact without a text has no row. */
export function factRows<L>(facts: readonly (readonly [L, string | undefined])[]): (L | string)[][] {
  return facts.flatMap(([label, text]) => (text ? [[label, text]] : []))
}

/** Parts of an output with empty lines between them. Empty parts are left out. */
export function joinSections(sections: readonly string[]): string {
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

function textOf(cell: Cell): string {
  return toShownLine(typeof cell === 'string' ? cell : cell.text)
}
