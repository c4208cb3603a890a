import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJsonInSlices, TooManyValues } from '../../../packages/agent-api/src/base/parse-json-in-slices.ts'
import { loopBlockMaxMs, slowRunsAllowed, startLoopMonitor } from '../../support/loop-monitor.ts'
import { manyValues } from '../../support/vast-schemas.ts'

test('parses everything that JSON.parse does, in pieces of any length', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.json({ maxDepth: 6, noUnicodeString: false }),
      fc.nat(20),
      fc.constantFrom(undefined, 1),
      async (json, pieceChars, space) => {
        const text = JSON.stringify(JSON.parse(json), null, space)
        expect(await parseJsonInSlices(text, { pieceCharsMax: pieceChars })).toEqual(JSON.parse(text))
      },
    ),
    { numRuns: 1_000 },
  )
})

test.each(['{ }', '[ ]', '{\n}', '{"a": { }, "b": [ ]}'])('parses %j, which has nothing but space between its ends', async (text) => {
  expect(await parseJsonInSlices(text, { pieceCharsMax: 0 })).toEqual(JSON.parse(text))
})

test('rejects everything that JSON.parse does', async () => {
  const pieces = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '1', 'null', ' ', '"__proto__"')
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 12 }), fc.nat(6), async (parts, pieceChars) => {
      const text = parts.join('')
      const expected = parse(text)
      const given = await parseJsonInSlices(text, { pieceCharsMax: pieceChars }).then(
        (value) => ({ value }),
        () => 'refused',
      )
      expect(given).toEqual(expected)
    }),
    { numRuns: 3_000 },
  )
})

function parse(text: string): unknown {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return 'refused'
  }
}

test.each([
  [
    'a hundred lists of ten thousand texts',
    () => JSON.stringify({ result: { tools: Array.from({ length: 100 }, () => ({ enum: manyValues(10_000) })) } }),
  ],
  [
    'forty thousand long texts inside three objects',
    () => JSON.stringify({ a: { b: { c: Array.from({ length: 40_000 }, () => 'x'.repeat(1_000)) } } }),
  ],
  ['a million numbers', () => JSON.stringify(Array.from({ length: 1_000_000 }, (_, index) => index))],
])('%s do not block the event loop', slowRunsAllowed, async (_, make) => {
  const text = make()
  await using monitor = startLoopMonitor()
  await monitor.reset()
  await parseJsonInSlices(text)
  expect(await monitor.longestBlockMs()).toBeLessThan(loopBlockMaxMs)
})

test.each([
  ['one object with many names', (count: number) => JSON.stringify(Object.fromEntries(manyValues(count).map((key) => [`k${key}`, 1])))],
  ['a list below the levels that are taken apart', (count: number) => `[[[[[[${JSON.stringify(manyValues(count))}]]]]]]`],
])('%s is rejected when it contains more values than may be parsed in one go', async (_, make) => {
  const options = { pieceCharsMax: 100, partValuesMax: 1_000 }
  expect(await parseJsonInSlices(make(900), options)).toEqual(JSON.parse(make(900)))
  await expect(parseJsonInSlices(make(1_100), options)).rejects.toBeInstanceOf(TooManyValues)
})
