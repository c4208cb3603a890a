import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openAcpInProcess } from '../support/acp-harness.ts'

/** A line, and the number of answers it must get. */
interface Sample {
  readonly line: string
  readonly answers: 0 | 1
}

const answered = (line: string): Sample => ({ line, answers: 1 })
const silent = (line: string): Sample => ({ line, answers: 0 })
const oneLine = (text: string) => text.replace(/[\r\n]/g, ' ')

const sample: fc.Arbitrary<Sample> = fc.oneof(
  fc.string().map((text) => answered(`!${oneLine(text)}`)),
  fc.constantFrom('', ' ', '\t', '\ufeff').map(silent),
  fc.array(fc.jsonValue()).map((batch) => answered(JSON.stringify(batch))),
  fc
    .jsonValue()
    .filter((value) => typeof value !== 'object' || value === null)
    .map((value) => answered(JSON.stringify(value))),
  fc.string().map((method) => silent(JSON.stringify({ jsonrpc: '2.0', method: `x/${method}`, params: {} }))),
  fc
    .tuple(fc.string(), fc.jsonValue())
    .map(([method, params]) =>
      answered(JSON.stringify({ jsonrpc: '2.0', id: 'fuzz', method: `x/${method}`, params })),
    ),
  fc
    .jsonValue()
    .map((params) =>
      answered(JSON.stringify({ jsonrpc: '2.0', id: { bad: 1 }, method: 'authenticate', params })),
    ),
  fc.jsonValue().map((result) => silent(JSON.stringify({ jsonrpc: '2.0', id: 5, result }))),
)

test('any lines, cut anywhere: each request is answered once, and nothing else is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sample, { maxLength: 30 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      async (samples, cuts) => {
        await using editor = openAcpInProcess()
        await editor.initialize()
        // Unique ids, because a duplicate id in flight is covered by another test.
        const lines = samples.map(({ line }, index) => line.replace('"id":"fuzz"', `"id":"fuzz ${index}"`))
        for (const index of lines.keys()) editor.expectAnswer(`fuzz ${index}`, 'authenticate')
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        const places = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b)
        for (const [index, place] of [0, ...places].entries())
          editor.sendBytes(bytes.subarray(place, places[index] ?? bytes.length))
        await editor.request('authenticate', { methodId: 'environment' })
        const answers = editor.received().slice(1, -1)
        expect(answers).toHaveLength(samples.filter((candidate) => candidate.answers === 1).length)
        expect(answers.every(({ error }) => error !== undefined)).toBe(true)
      },
    ),
    { numRuns: 100 },
  )
})
