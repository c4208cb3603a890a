/** An RFC 4180 record. Cells that begin with `=+-@` are quoted, because a spreadsheet would run them as formulas. */
export function toCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => toCell(typeof cell === 'string' ? harmless(cell) : cell)).join(',')}\r\n`
}

function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

function toCell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
