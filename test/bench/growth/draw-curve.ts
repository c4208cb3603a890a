import { slopeOf, type Curve, type Point } from './curve.ts'

const [width, height] = [640, 400]
const plot = { left: 72, right: 24, top: 48, bottom: 88 }
const [innerWidth, innerHeight] = [width - plot.left - plot.right, height - plot.top - plot.bottom]
const legendColumns = 2

interface Scale {
  readonly from: number
  readonly until: number
  /** From 0 to 1. */
  at(value: number): number
}

/** A picture of a curve with two logarithmic axes. A dashed line has the slope that must hold. Readable in light and dark. */
export function drawCurve(curve: Curve): string {
  const points = curve.series.flatMap((series) => series.points)
  const [x, y] = [toScale(points.map((point) => point.x)), toScale(points.map((point) => point.y))]
  const place = (point: Point) => ({
    x: plot.left + x.at(point.x) * innerWidth,
    y: plot.top + (1 - y.at(point.y)) * innerHeight,
  })
  const toPath = (line: readonly Point[]) =>
    line
      .map(place)
      .map((at, index) => `${index === 0 ? 'M' : 'L'}${at.x.toFixed(1)} ${at.y.toFixed(1)}`)
      .join('')
  const lines = curve.series.map(({ points: line }, index) => {
    const dots = line
      .map(place)
      .map((at) => `<circle cx="${at.x.toFixed(1)}" cy="${at.y.toFixed(1)}" r="3.5"/>`)
    return `<g class="s${index}"><path d="${toPath(line)}"/>${dots.join('')}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escape(curve.title)}</title>
<style>
text { font: 12px system-ui, sans-serif; fill: #24292f } .head { font-weight: 600 } .page { fill: #ffffff }
path { fill: none; stroke-width: 2 } .grid { stroke: #d0d7de; stroke-width: 1 } .held { stroke: #57606a; stroke-dasharray: 5 4 }
${style(['#1a7f37', '#0969da', '#9a6700', '#cf222e', '#8250df', '#1b7c83'])}
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .page { fill: #0d1117 } .grid { stroke: #30363d } .held { stroke: #9198a1 }
${style(['#3fb950', '#58a6ff', '#d29922', '#ff7b72', '#bc8cff', '#39c5cf'])}
}
</style>
<rect class="page" width="${width}" height="${height}"/>
<text class="head" x="${plot.left}" y="20">${escape(curve.title)}</text>
<text x="${plot.left}" y="37">${escape(curve.y)}</text>
${powersIn(x)
  .map((value) => gridLine({ x: value, y: y.from }, { x: value, y: y.until }, 'middle', [0, 18]))
  .join('\n')}
${powersIn(y)
  .map((value) => gridLine({ x: x.from, y: value }, { x: x.until, y: value }, 'end', [-8, 4]))
  .join('\n')}
<text x="${plot.left + innerWidth}" y="${height - plot.bottom + 34}" text-anchor="end">${escape(curve.x)}</text>
${toHeld(curve, y, toPath)}
${lines.join('\n')}
${curve.series.map(toLegend).join('\n')}
</svg>
`

  function gridLine(from: Point, until: Point, anchor: string, [dx, dy]: readonly [number, number]): string {
    const at = place(from)
    const value = from.x === until.x ? from.x : from.y
    return `<path class="grid" d="${toPath([from, until])}"/><text x="${(at.x + dx).toFixed(1)}" y="${(at.y + dy).toFixed(1)}" text-anchor="${anchor}">${toShort(value)}</text>`
  }
}

/** The last step of the highest series, as steep as it may be. */
function toHeld({ series, slopeMax }: Curve, y: Scale, toPath: (line: readonly Point[]) => string): string {
  const [highest] = series.toSorted(
    (one, other) => (other.points.at(-1)?.y ?? 0) - (one.points.at(-1)?.y ?? 0),
  )
  const [before, last] = highest?.points.slice(-2) ?? []
  if (before === undefined || last === undefined) return ''
  const growth = Math.min((last.x / before.x) ** slopeMax, y.until / before.y)
  const end = { x: before.x * growth ** (1 / slopeMax), y: before.y * growth }
  return `<path class="held" d="${toPath([before, end])}"/>`
}

function toLegend({ name, points }: Curve['series'][number], index: number): string {
  const left = plot.left + (index % legendColumns) * (innerWidth / legendColumns)
  const top = height - plot.bottom + 52 + Math.floor(index / legendColumns) * 16
  return `<g class="s${index}"><circle cx="${left + 4}" cy="${top - 4}" r="4"/></g><text x="${left + 14}" y="${top}">${escape(name)}: slope ${slopeOf(points).toFixed(2)}</text>`
}

/** Whole powers of ten around all values. */
function toScale(values: readonly number[]): Scale {
  const [low, high] = [
    Math.floor(Math.log10(Math.min(...values))),
    Math.ceil(Math.log10(Math.max(...values))),
  ]
  const span = Math.max(1, high - low)
  return { from: 10 ** low, until: 10 ** (low + span), at: (value) => (Math.log10(value) - low) / span }
}

function powersIn({ from, until }: Scale): readonly number[] {
  const [low, high] = [Math.round(Math.log10(from)), Math.round(Math.log10(until))]
  return Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))
}

function toShort(value: number): string {
  if (value >= 1_000_000) return `${value / 1_000_000} M`
  return value >= 1_000 ? `${value / 1_000} k` : String(Number(value.toPrecision(1)))
}

function style(colors: readonly string[]): string {
  return colors
    .map((color, index) => `.s${index} path { stroke: ${color} } .s${index} circle { fill: ${color} }`)
    .join('\n')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
