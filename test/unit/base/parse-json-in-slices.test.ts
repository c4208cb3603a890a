import { setImmediate as nextTask } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseJsonInSlices, TooManyValues } from '../../../packages/agent-api/src/base/parse-json-in-slices.ts'
import { manyValues } from '../../support/vast-schemas.ts'
import { anyJson } from '../../support/any-text.ts'

test('parses everything that JSON.parse does, in pieces of any length', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyJson(6).map((value) => JSON.stringify(value)),
      fc.nat(20),
      fc.constantFrom(undefined, 1),
      async (json, pieceChars, space) => {
        const text = JSON.stringify(JSON.parse(json), null, space)
        expect(await parseJsonInSlices(text, { pieceCharsMax: pieceChars })).toEqual(JSON.parse(text))
      },
    ),
    { numRuns: 100 },
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
    { numRuns: 250 },
  )
})

function parse(text: string): unknown {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return 'refused'
  }
}

test('parses a long text in short pieces, with a turn of the event loop whenever a slice is over', async () => {
  await nextTask()
  // Each reading advances the clock by one step. A slice ends after eight.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ++now)
  const parsed = vi.spyOn(JSON, 'parse')
  onTestFinished(() => [clock, parsed].forEach((spy) => spy.mockRestore()))
  let turns = 0
  let counting = setImmediate(function count() {
    turns++
    counting = setImmediate(count)
  })
  const value = { lists: Array.from({ length: 100 }, () => ({ enum: manyValues(100) })) }
  const text = JSON.stringify(value)
  const pieceCharsMax = 100
  expect(await parseJsonInSlices(text, { pieceCharsMax })).toEqual(value)
  clearImmediate(counting)
  const pieces = parsed.mock.calls.map(([piece]) => piece.length)
  // The two brackets around a piece come on top.
  expect(Math.max(...pieces)).toBeLessThanOrEqual(pieceCharsMax + 2)
  expect(now).toBeGreaterThan(pieces.length / 2)
  expect(turns).toBeGreaterThan(now / 10)
})

test.each([
  ['one object with many names', (count: number) => JSON.stringify(Object.fromEntries(manyValues(count).map((key) => [`k${key}`, 1])))],
  ['a list below the levels that are taken apart', (count: number) => `[[[[[[${JSON.stringify(manyValues(count))}]]]]]]`],
])('%s is rejected when it contains more values than may be parsed in one go', async (_, make) => {
  const options = { pieceCharsMax: 100, partValuesMax: 1_000 }
  expect(await parseJsonInSlices(make(900), options)).toEqual(JSON.parse(make(900)))
  await expect(parseJsonInSlices(make(1_100), options)).rejects.toBeInstanceOf(TooManyValues)
})
