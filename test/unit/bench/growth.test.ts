import { expect, test } from 'vitest'
import { slopeOf, steepOf, type Curve } from '../../bench/growth/curve.ts'
import { drawCurve } from '../../bench/growth/draw-curve.ts'
import { toPage } from '../../bench/growth/performance-page.ts'

const pointsOf = (toY: (x: number) => number) => [10, 1_000, 10_000].map((x) => ({ x, y: toY(x) }))

const curve: Curve = {
  id: 'turns',
  title: 'A prompt & its <past>',
  x: 'messages',
  y: 'ms',
  slopeMax: 1.1,
  series: [
    { name: 'linear', points: pointsOf((x) => 3 * x) },
    { name: 'square', points: pointsOf((x) => x * x) },
  ],
}

test.each([
  ['nothing grows', () => 5, 0],
  ['it is linear', (x: number) => 3 * x, 1],
  ['it is the square', (x: number) => x * x, 2],
  ['a fixed cost hides the growth of small sizes', (x: number) => 1_000 + x, 0.74],
])('the slope is that of the last step: %s', (_, toY, expected) => {
  expect(slopeOf(pointsOf(toY))).toBeCloseTo(expected, 2)
})

test('a series that is too steep is named, and one without a slope as well', () => {
  const broken = { name: 'broken', points: pointsOf(() => NaN) }
  const single = { name: 'single', points: [{ x: 1, y: 1 }] }
  const names = steepOf({ ...curve, series: [...curve.series, broken, single] }).map(({ name }) => name)
  expect(names).toEqual(['square', 'broken', 'single'])
})

test('a picture places sizes on logarithmic axes, shows texts as texts, and is readable in light and dark', () => {
  const picture = drawCurve(curve)
  const [, linear = ''] = /<g class="s0"><path d="([^"]*)"/.exec(picture) ?? []
  const places = [...linear.matchAll(/([\d.]+) ([\d.]+)/g)].map(([, x, y]) => ({
    x: Number(x),
    y: Number(y),
  }))
  const [first, second, third] = places
  // Two powers of ten, then one.
  expect((second!.x - first!.x) / (third!.x - second!.x)).toBeCloseTo(2, 1)
  expect((first!.y - second!.y) / (second!.y - third!.y)).toBeCloseTo(2, 1)
  expect(picture).toContain('A prompt &amp; its &lt;past&gt;')
  expect(picture).toMatch(/<text [^>]*>linear: slope 1\.00<\/text>/)
  expect(picture).toContain('prefers-color-scheme: dark')
  expect(picture).toContain('class="held"')
})

test('the page shows each curve with its figures, its slope and the slope that must hold', () => {
  const page = toPage([{ conditions: 'Measured today.', curve }])
  expect(page).toContain('(performance/turns.svg)')
  expect(page).toMatch(/\| linear +\| 30\.0 +\| 3000 +\| 30000 +\| 1\.00 +\| ≤ 1\.1 +\|/)
  expect(page).toContain('Measured today.')
})
