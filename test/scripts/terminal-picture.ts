import type { Char, TextStyle } from '../support/styled-text.ts'

const columns = 100
const fontSize = 14
const charWidth = fontSize * 0.602
const lineHeight = 20
const blankHeight = 10
const margin = 24
const barHeight = 40

const text = '#24292f'
const colors: Readonly<Record<number, string>> = {
  31: '#b42318',
  32: '#1a7f37',
  33: '#8a5a00',
  36: '#0b5cad',
}

/** Wraps at spaces if possible. Continuation lines keep the indentation. */
function wrap(line: readonly Char[]): Char[][] {
  if (line.length <= columns) return [[...line]]
  const indent = line.findIndex(({ char }) => char !== ' ')
  const at = line.findLastIndex(({ char }, index) => char === ' ' && index > indent && index <= columns)
  const cut = at === -1 ? columns : at
  return [line.slice(0, cut), ...wrap([...line.slice(0, indent), ...line.slice(at === -1 ? cut : cut + 1)])]
}

/** A window of a terminal. An empty line takes half the height of another. */
export function toSvg(title: string, lines: readonly (readonly Char[])[]): string {
  const width = Math.ceil(columns * charWidth + 2 * margin)
  let y = barHeight + margin
  const body = lines.flatMap(wrap).map((line) => {
    const here = y
    y += line.length === 0 ? blankHeight : lineHeight
    return toText(line, here)
  })
  const height = y - lineHeight + margin
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escape(title)}</title>
<style>
text { font: ${fontSize}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; fill: ${text}; white-space: pre }
.b { font-weight: 700 } .d { fill: #57606a }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="#fbfbf9" stroke="#b8bec6"/>
<path d="M0.5 ${barHeight - 8}V10.5a10 10 0 0 1 10-10H${width - 10.5}a10 10 0 0 1 10 10V${barHeight - 8}z" fill="#e9ebee" stroke="#b8bec6"/>
<circle cx="20" cy="16" r="5.5" fill="#e06c60"/><circle cx="38" cy="16" r="5.5" fill="#e2b340"/><circle cx="56" cy="16" r="5.5" fill="#5fae5b"/>
${body.filter((line) => line !== '').join('\n')}
</svg>
`
}

function toText(line: readonly Char[], y: number): string {
  const indent = line.findIndex(({ char }) => char !== ' ')
  if (indent === -1) return ''
  const spans = toRuns(line.slice(indent)).map(({ style, run }) => {
    const classes = [...(style.bold ? ['b'] : []), ...(style.dim ? ['d'] : [])].join(' ')
    const attributes = `${classes === '' ? '' : ` class="${classes}"`}${style.color === undefined ? '' : ` style="fill:${colors[style.color] ?? text}"`}`
    return attributes === '' ? escape(run) : `<tspan${attributes}>${escape(run)}</tspan>`
  })
  return `<text xml:space="preserve" x="${(margin + indent * charWidth).toFixed(1)}" y="${y}">${spans.join('')}</text>`
}

function toRuns(line: readonly Char[]): { style: TextStyle; run: string }[] {
  const runs: { style: TextStyle; run: string }[] = []
  for (const { char, style } of line) {
    const last = runs.at(-1)
    if (last?.style === style) last.run += char
    else runs.push({ style, run: char })
  }
  return runs
}

function escape(run: string): string {
  return run.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
