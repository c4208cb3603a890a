import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createValueCounter } from '../../../packages/agent-api/src/base/value-counter.ts'

function countIn(text: string, cuts: readonly number[] = []): number {
  const bytes = Buffer.from(text)
  const values = createValueCounter()
  let from = 0
  for (const cut of [...cuts.map((at) => at % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]) {
    values.add(bytes, from, cut)
    from = cut
  }
  return values.count
}

/** An empty list or object counts as two. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return (
    1 +
    Math.max(
      1,
      Object.values(value).reduce<number>((sum, inner) => sum + valuesOf(inner), 0),
    )
  )
}

test.each([
  ['1', 1],
  ['[1,2,3]', 4],
  ['{"a":1,"b":[{}]}', 5],
  [String.raw`["[,{\",[","\\",1]`, 4],
  ['"[,{', 1],
  ['["a\n[,', 4],
  ['["a\\\r[,', 4],
])('%j holds %i values, wherever it is cut', (text, count) => {
  for (let cut = 0; cut <= Buffer.byteLength(text); cut++) expect(countIn(text, [cut])).toBe(count)
})

test('counts the values of any JSON, however it is cut', () => {
  const text = fc.string({
    unit: fc.constantFrom('"', '\\', '[', '{', ',', '\n', 'a', '\u00e9', '\u{1f600}'),
  })
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('json')),
      fc.dictionary(text, tie('json')),
    ),
  }))
  fc.assert(
    fc.property(
      json,
      fc.array(fc.nat(), { maxLength: 8 }),
      fc.constantFrom(undefined, 1),
      (value, cuts, space) => {
        expect(countIn(JSON.stringify(value, null, space), cuts)).toBe(valuesOf(value))
      },
    ),
    { numRuns: 250 },
  )
})

test('starts over with another text', () => {
  const values = createValueCounter()
  values.add(Buffer.from('["a'), 0, 3)
  values.reset()
  values.add(Buffer.from('[1,2]'), 0, 5)
  expect(values.count).toBe(3)
})
