import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'

/**
 * Draws docs/tour.svg: runs the tour and shows its output in a terminal window, without this machine's paths. Run `tsx
 * test/scripts/picture.ts` after building the command.
 */
const repository = join(import.meta.dirname, '../..')
const picture = join(repository, 'docs/tour.svg')

const columns = 100
const fontSize = 14
const charWidth = fontSize * 0.602
const lineHeight = 20
const blankHeight = 10
const margin = 24
const barHeight = 40

const text = '#24292f'
const colors: Readonly<Record<number, string>> = { 31: '#b42318', 32: '#1a7f37', 33: '#8a5a00', 36: '#0b5cad' }

interface Style {
  readonly bold: boolean
  readonly dim: boolean
  readonly color: string | undefined
}

interface Char {
  readonly char: string
  readonly style: Style
}

const plain: Style = { bold: false, dim: false, color: undefined }

const svg = toSvg(['$ npx -y pnpm@12.18.0 start', ...shortened(await runTour())].flatMap((line) => wrap(toChars(line))))
const leftover = [repository, homedir(), 'ostler-tour-'].find((part) => svg.includes(part))
if (leftover !== undefined) throw new Error(`the picture would show ${leftover}`)
await writeFile(picture, svg)
console.log(`wrote ${picture}`)

async function runTour(): Promise<string[]> {
  const tsx = join(repository, 'node_modules/.bin/tsx')
  const { stdout } = await promisify(execFile)(tsx, [join(repository, 'test/tour/tour.ts')], {
    env: { ...process.env, FORCE_COLOR: '1', NO_COLOR: undefined },
  })
  return stdout.replaceAll(/(?:\/[\w.-]+)+\/ostler-tour-\w+/g, '/tmp/tour').split('\n')
}

/** Omits the registration at the end, and repeated lists of answers. */
function shortened(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => stripVTControlCharacters(line).startsWith('Register Ostler'))
  const seen = new Set<string>()
  const kept = lines.slice(0, end === -1 ? undefined : end).filter((line) => {
    const isRepeated = line.includes(' · ') && seen.has(line)
    seen.add(line)
    return !isRepeated
  })
  return kept.join('\n').trimEnd().split('\n')
}

function toChars(line: string): Char[] {
  const [start = '', ...parts] = line.split('\u001B[')
  let style = plain
  const chars = [...start].map((char): Char => ({ char, style }))
  for (const part of parts) {
    const [, code = '', rest = ''] = /^(\d+)m(.*)$/.exec(part) ?? []
    style = styled(style, Number(code))
    for (const char of rest) chars.push({ char, style })
  }
  return chars
}

function styled(style: Style, code: number): Style {
  switch (code) {
    case 0:
      return plain
    case 1:
      return { ...style, bold: true }
    case 2:
      return { ...style, dim: true }
    case 22:
      return { ...style, bold: false, dim: false }
    case 39:
      return { ...style, color: undefined }
    default:
      return { ...style, color: colors[code] ?? style.color }
  }
}

/** Wraps at spaces if possible. Continuation lines keep the indentation. */
function wrap(line: readonly Char[]): Char[][] {
  if (line.length <= columns) return [[...line]]
  const indent = line.findIndex(({ char }) => char !== ' ')
  const at = line.findLastIndex(({ char }, index) => char === ' ' && index > indent && index <= columns)
  const cut = at === -1 ? columns : at
  return [line.slice(0, cut), ...wrap([...line.slice(0, indent), ...line.slice(at === -1 ? cut : cut + 1)])]
}

function toSvg(lines: readonly (readonly Char[])[]): string {
  const width = Math.ceil(columns * charWidth + 2 * margin)
  let y = barHeight + margin
  const body = lines.map((line) => {
    const here = y
    y += line.length === 0 ? blankHeight : lineHeight
    return toText(line, here)
  })
  const height = y - lineHeight + margin
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>The tour in a terminal: an editor starts Ostler, opens a session with three MCP servers, and runs their tools</title>
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
    const attributes = `${classes === '' ? '' : ` class="${classes}"`}${style.color === undefined ? '' : ` style="fill:${style.color}"`}`
    return attributes === '' ? escape(run) : `<tspan${attributes}>${escape(run)}</tspan>`
  })
  return `<text xml:space="preserve" x="${(margin + indent * charWidth).toFixed(1)}" y="${y}">${spans.join('')}</text>`
}

function toRuns(line: readonly Char[]): { style: Style; run: string }[] {
  const runs: { style: Style; run: string }[] = []
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
