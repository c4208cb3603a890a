import { toMarkdownCode, toMarkdownText } from '../../base/markdown-text.ts'

type Cell = string | { readonly code: string }

export function toMarkdownTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `| ${cells.map(toCell).join(' | ')} |`
  return [line(head), `|${head.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n')
}

function toCell(cell: Cell): string {
  const text = typeof cell === 'string' ? toMarkdownText(cell) : toMarkdownCode(cell.code)
  return text.replace(/\s+/g, ' ').replace(/\|/g, '\\|').trim()
}
