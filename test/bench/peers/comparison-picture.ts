import { bestOf, toText, type Column, type Comparison } from './comparison.ts'
import type { Row } from './trials.ts'

const width = 880
const [panelWidth, nameWidth, barWidth] = [width / 2, 120, 200]
const [lineHeight, headHeight, margin] = [18, 34, 12]

/** Bars for each row, in two columns of panels. Readable in light and dark. */
export function toPicture({ conditions, rows, columns }: Comparison): string {
  const shown = rows.filter(({ id }) => columns.some(({ cells }) => cells[id]?.value !== undefined))
  const panelHeight = headHeight + columns.length * lineHeight + margin
  const height = Math.ceil(shown.length / 2) * panelHeight + margin
  const panels = shown.map((row, index) => {
    const [x, y] = [(index % 2) * panelWidth + margin, Math.floor(index / 2) * panelHeight + margin]
    return `<g transform="translate(${x} ${y})">\n${toPanel(row, columns, conditions.limitMs)}\n</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>Ostler beside other agents, measured on ${escape(conditions.date)}</title>
<style>
text { font: 12px system-ui, sans-serif; fill: #24292f }
.head { font-weight: 600 } .best { font-weight: 700 } .none { fill: #57606a }
rect { fill: #8c959f } .ours { fill: #1a7f37 } .page { fill: #ffffff }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .none { fill: #9198a1 } rect { fill: #656c76 } .ours { fill: #3fb950 } .page { fill: #0d1117 }
}
</style>
<rect class="page" width="${width}" height="${height}"/>
${panels.join('\n')}
</svg>
`
}

function toPanel(row: Row, columns: readonly Column[], limitMs: number): string {
  const values = columns.map(({ cells }) => cells[row.id]?.value ?? 0).filter(Number.isFinite)
  const longest = Math.max(...values, Number.MIN_VALUE)
  const best = bestOf(row, columns)
  const what = row.what.replaceAll('`', '') + (row.best === 'most' ? ' (more is better)' : '')
  const lines = columns.map(({ name, cells }, index) => {
    const y = headHeight + index * lineHeight
    const value = cells[row.id]?.value
    const label = `<text x="${nameWidth - 6}" y="${y}" text-anchor="end">${escape(name)}</text>`
    if (value === undefined) return `${label}<text x="${nameWidth}" y="${y}" class="none">–</text>`
    const length = Math.max(1, (barWidth * Math.min(value, longest)) / longest)
    const bar = `<rect x="${nameWidth}" y="${y - 10}" width="${length.toFixed(1)}" height="12"${index === 0 ? ' class="ours"' : ''}/>`
    const figure = `<text x="${(nameWidth + length + 6).toFixed(1)}" y="${y}"${best.has(name) ? ' class="best"' : ''}>${escape(toText(row, value, limitMs))}</text>`
    return label + bar + figure
  })
  return [`<text class="head" y="12">${escape(what)}</text>`, ...lines].join('\n')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
