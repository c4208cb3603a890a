import { toTable } from '../table.ts'
import { slopeOf, type Curve, type Point } from './curve.ts'

export interface Measured {
  readonly conditions: string
  readonly curve: Curve
}

/** The Markdown page. */
export function toPage(measured: readonly Measured[]): string {
  return `<!-- Written by \`pnpm bench --growth\`. Do not edit. -->

# How costs grow

\`pnpm bench --growth\` measures what grows with a session, its tools, its files and its history, draws the curves of this page, and fails if one is too steep. It needs Linux. The
figures are medians of processor time, of all threads, with local models and servers. Both axes of a picture are logarithmic: a slope of 1 is linear growth, and with a slope of 0 nothing grows.

A slope is that of the last step, where fixed costs weigh least. The dashed line is as steep as the highest curve may be there.

\`pnpm bench --growth turns tools\` measures some of the curves, and keeps the others. The history grows to a million calls, which one SQL statement for each table makes: it takes a
minute and 0.3 GiB in the temporary folder, and twice that while it writes. \`--calls 10000000\` lets it grow to ten million, at ten times the price. What must hold without a clock is in \`test/unit/linear-work\`.

${measured.map(toSection).join('\n')}`
}

function toSection({ conditions, curve }: Measured): string {
  const [first] = curve.series
  const head = ['', ...(first?.points ?? []).map(({ x }) => x.toLocaleString('en')), 'slope', 'must hold']
  const rows = curve.series.map(({ name, points }) => [
    name,
    ...points.map(toFigure),
    slopeOf(points).toFixed(2),
    `≤ ${curve.slopeMax}`,
  ])
  return `## ${curve.title}

![${curve.title}: the figures of the table as curves](performance/${curve.id}.svg)

${toTable(head, rows)}

In ${curve.y}, by ${curve.x}. ${conditions}
`
}

function toFigure({ y }: Point): string {
  return y.toFixed(y < 1 ? 2 : y < 100 ? 1 : 0)
}
