import { expect, test } from 'vitest'
import {
  compareFigures,
  isRed,
  toHeld,
  toTable,
  type Figure,
  type HeldFigures,
} from '../../bench/gate/figures.ts'

const count = (value: number): Figure => ({ name: 'files', value })
const ratio = (value: number): Figure => ({ name: 'start', value, tolerance: 0.1 })

test.each<{
  what: string
  measured: Figure[]
  held: HeldFigures
  verdict: string
  red: boolean
  kept: HeldFigures
}>([
  {
    what: 'the same count',
    measured: [count(3)],
    held: { files: 3 },
    verdict: 'same',
    red: false,
    kept: { files: 3 },
  },
  {
    what: 'one more',
    measured: [count(4)],
    held: { files: 3 },
    verdict: 'higher',
    red: true,
    kept: { files: 4 },
  },
  {
    what: 'one less',
    measured: [count(2)],
    held: { files: 3 },
    verdict: 'lower',
    red: false,
    kept: { files: 2 },
  },
  {
    what: 'the first of a count of zero',
    measured: [count(1)],
    held: { files: 0 },
    verdict: 'higher',
    red: true,
    kept: { files: 1 },
  },
  {
    what: 'the upper end of a band',
    measured: [ratio(2.2)],
    held: { start: 2 },
    verdict: 'same',
    red: false,
    kept: { start: 2 },
  },
  {
    what: 'above the band',
    measured: [ratio(2.21)],
    held: { start: 2 },
    verdict: 'higher',
    red: true,
    kept: { start: 2.21 },
  },
  {
    what: 'the lower end of a band',
    measured: [ratio(1.8)],
    held: { start: 2 },
    verdict: 'same',
    red: false,
    kept: { start: 2 },
  },
  {
    what: 'below the band',
    measured: [ratio(1.79)],
    held: { start: 2 },
    verdict: 'lower',
    red: false,
    kept: { start: 1.79 },
  },
  {
    what: 'a figure that is not held',
    measured: [count(3)],
    held: {},
    verdict: 'new',
    red: true,
    kept: { files: 3 },
  },
  {
    what: 'a figure that is only held',
    measured: [],
    held: { files: 3 },
    verdict: 'gone',
    red: true,
    kept: {},
  },
  {
    what: 'a measurement that failed',
    measured: [count(NaN)],
    held: { files: 3 },
    verdict: 'gone',
    red: true,
    kept: {},
  },
])('$what: $verdict', ({ measured, held, verdict, red, kept }) => {
  const compared = compareFigures(measured, held)
  expect(compared.map((each) => each.verdict)).toEqual([verdict])
  expect(isRed(compared)).toBe(red)
  expect(toHeld(compared)).toEqual(kept)
})

test('the table says what changed, and by how much', () => {
  const table = toTable(
    compareFigures([count(5), ratio(1.5), { name: 'timers', value: 1 }], { files: 3, start: 2, writes: 7 }),
  )
  expect(table).toBe(
    [
      '            held  measured',
      'files          3         5   ROSE by 2',
      'start          2       1.5   fell by 0.5',
      'timers         –         1   is new',
      'writes         7         –   is no longer measured',
    ].join('\n'),
  )
})

test('a figure within its band keeps its line, whatever else is written', () => {
  expect(toHeld(compareFigures([count(5), ratio(2.1)], { files: 3, start: 2 }))).toEqual({
    files: 5,
    start: 2,
  })
})
