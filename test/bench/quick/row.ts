/** A row of the table. A column is empty where a figure has no meaning. */
export interface Row {
  readonly what: string
  readonly floor?: string
  readonly ostler: string
}

export function toMarkdown(rows: readonly Row[]): string {
  const cells = [
    ['what', 'floor', 'Ostler'],
    ...rows.map(({ what, floor = '', ostler }) => [what, floor, ostler]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const toLine = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = cells
  return [toLine(head), toLine(widths.map((width) => '-'.repeat(width))), ...body.map(toLine)].join('\n')
}

export function ms(value: number): string {
  return `${value.toFixed(value < 20 ? 1 : 0)} ms`
}

export function times(value: number): string {
  return `${value.toFixed(2)} ×`
}
