import { toTable } from '../table.ts'

/** A row of the table. A column is empty where a figure has no meaning. */
export interface Row {
  readonly what: string
  readonly floor?: string
  readonly ostler: string
}

export function toMarkdown(rows: readonly Row[]): string {
  const head = ['what', 'floor', 'Ostler']
  return toTable(
    head,
    rows.map(({ what, floor = '', ostler }) => [what, floor, ostler]),
  )
}

export function ms(value: number): string {
  return `${value.toFixed(value < 20 ? 1 : 0)} ms`
}

export function times(value: number): string {
  return `${value.toFixed(2)} ×`
}
