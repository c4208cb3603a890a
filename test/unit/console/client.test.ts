import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitLines } from '../../../packages/console/src/page/api/client.ts'

async function* pieces(all: readonly string[]) {
  yield* all
}

it('gives the same lines wherever the text is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.array(fc.nat({ max: 400 })), async (values, cuts) => {
      const text = values.map((value) => `${JSON.stringify(value)}\n`).join('')
      const at = [...new Set(cuts)].filter((cut) => cut < text.length).toSorted((one, other) => one - other)
      const parts = [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length))
      const lines = await Array.fromAsync(splitLines(pieces(parts)))
      expect(lines.map((line) => JSON.stringify(JSON.parse(line)))).toEqual(
        values.map((value) => JSON.stringify(value)),
      )
    }),
  )
})

it('accepts an unfinished last line, and leaves out empty ones', async () => {
  expect(await Array.fromAsync(splitLines(pieces(['{"a":1}\n\n', '\r\n{"b"', ':2}'])))).toEqual([
    '{"a":1}',
    '{"b":2}',
  ])
})
