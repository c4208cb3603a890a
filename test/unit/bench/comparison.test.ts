import { expect, test } from 'vitest'
import { toPage, toTable } from '../../bench/peers/comparison-page.ts'
import { toPicture } from '../../bench/peers/comparison-picture.ts'
import { bestOf, toColumn, toText, type Comparison } from '../../bench/peers/comparison.ts'
import type { Peer } from '../../bench/peers/peer.ts'
import type { Row } from '../../bench/peers/trials.ts'

const start: Row = { id: 'start', what: 'start', unit: 'ms' }
const rate: Row = { id: 'rate', what: 'chunks', unit: 'per second', best: 'most' }
const rows = [start, rate]
const peer = (name: string): Peer => ({ name, program: '', args: [], vendor: 'openai', setUp: () => ({}) })

const comparison: Comparison = {
  conditions: {
    date: '2026-11-20',
    machine: 'a small one',
    cores: 2,
    node: '26',
    rounds: 3,
    limitMs: 45_000,
    load: [1, 2],
  },
  rows,
  columns: [
    toColumn(peer('ours'), 'here', rows, {
      values: new Map([
        ['start', [9, 5, 1_000]],
        ['rate', [10]],
      ]),
      reasons: new Map([['rate', ['it <died> | at once', 'it <died> | at once']]]),
    }),
    toColumn(peer('other'), 'npm', rows, {
      values: new Map([['start', [Infinity, 3, Infinity]]]),
      reasons: new Map([['rate', ['text was lost']]]),
    }),
    toColumn(peer('lost'), 'npm', rows, 'npm cannot install it'),
  ],
}

test('a cell is the median, or a dash whose note says why', () => {
  expect(toTable(comparison)).toBe(
    [
      '|  | ours | other | lost |',
      '| --- | --- | --- | --- |',
      '| start | **9.0 ms** | > 45 s | – [1] |',
      '| chunks | **10/s** [2] | – [3] | – [1] |',
      '',
      '- [1] npm cannot install it',
      '- [2] failed in 2 other rounds: it died at once',
      '- [3] text was lost',
    ].join('\n'),
  )
})

test('the page has the conditions, the versions and the table', () => {
  const page = toPage(comparison)
  for (const part of [
    '2026-11-20',
    'a small one',
    'Node 26',
    '1.0 at the start',
    '- other: npm',
    toTable(comparison),
  ])
    expect(page).toContain(part)
})

test('the page says that the machine was busy, if it was', () => {
  const busy = 'Other programs ran at the same time'
  const at = (load: number) =>
    toPage({ ...comparison, conditions: { ...comparison.conditions, load: [load, 9] } })
  expect(at(1)).not.toContain(busy)
  expect(at(1.1)).toContain(busy)
})

test('the picture has a bar for each value, as long as its share of the longest', () => {
  const column = (name: string, value: number) => ({ name, source: '', cells: { start: { value } } })
  const columns = [column('a', 3), column('b', 12), column('c', Infinity)]
  const picture = toPicture({ ...comparison, rows: [start], columns })
  const widths = [...picture.matchAll(/<rect x="\d+" y="\d+" width="(\w+(?:\.\d+)?)"/g)].map(
    ([, width]) => width,
  )
  expect(widths).toEqual(['50.0', '200.0', '200.0'])
  expect(picture).toContain('&gt; 45 s')
})

test('the picture leaves out a row that no agent has, and draws a dash for an agent without it', () => {
  const lost = { ...start, id: 'lost', what: 'the lost row' }
  const picture = toPicture({ ...comparison, rows: [...rows, lost] })
  expect(picture).not.toContain('the lost row')
  expect(picture.match(/>–</g)).toHaveLength(3)
})

test('the best of a row is the least, or the most where more is better, and never a missing answer', () => {
  expect(bestOf(start, comparison.columns)).toEqual(new Set(['ours']))
  const cells = (value: number) => ({ rate: { value } })
  const columns = [
    { name: 'a', source: '', cells: cells(1) },
    { name: 'b', source: '', cells: cells(2) },
    { name: 'c', source: '', cells: cells(Infinity) },
  ]
  expect(bestOf(rate, columns)).toEqual(new Set(['b']))
  expect(bestOf({ ...rate, best: 'none' }, columns)).toEqual(new Set())
})

test.each<[Row['unit'], number, string]>([
  ['ms', 0.754, '0.75 ms'],
  ['ms', 5.04, '5.0 ms'],
  ['ms', 1_234.5, '1,235 ms'],
  ['ms', 30_200, '30.2 s'],
  ['ms', Infinity, '> 45 s'],
  ['MiB', 59.14, '59.1 MiB'],
  ['count', 0, '0'],
  ['per second', 20_724.4, '20,724/s'],
])('%s %d is written %s', (unit, value, text) => {
  expect(toText({ ...start, unit }, value, 45_000)).toBe(text)
})
