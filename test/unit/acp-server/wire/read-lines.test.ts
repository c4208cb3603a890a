import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLines } from '../../../../packages/acp-server/src/wire/read-lines.ts'

async function* fromChunks(chunks: readonly (string | Uint8Array)[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

async function linesOf(chunks: readonly (string | Uint8Array)[], bytesMax?: number): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readLines(fromChunks(chunks), bytesMax))
    lines.push(line.type === 'line' ? Buffer.from(line.bytes).toString() : 'oversize')
  return lines
}

test.each<[string, string[], string[]]>([
  ['nothing', [], []],
  ['one line', ['a\n'], ['a']],
  ['no newline at the end', ['a\nb'], ['a', 'b']],
  ['empty lines', ['\n\na\n'], ['', '', 'a']],
  ['pieces', ['a', 'b', 'c\nd', 'e\n'], ['abc', 'de']],
  ['many in one piece', ['a\nb\nc\n'], ['a', 'b', 'c']],
])('%s', async (_, chunks, expected) => {
  expect(await linesOf(chunks)).toEqual(expected)
})

test.each<[string, string[], string[]]>([
  ['just long enough', ['12345\n'], ['12345']],
  ['too long in one piece', ['123456\nok\n'], ['oversize', 'ok']],
  ['too long in pieces', ['123', '456', '789', '\nok\n'], ['oversize', 'ok']],
  ['too long and never ended', ['123456', '789'], ['oversize']],
  ['one after the other', ['1234567\n1234567\nok'], ['oversize', 'oversize', 'ok']],
  ['what is too long only at its end', ['12345', '6\nok'], ['oversize', 'ok']],
])('a limit of 5 bytes: %s', async (_, chunks, expected) => {
  expect(await linesOf(chunks, 5)).toEqual(expected)
})

test('the beginning of an oversize line is reported, however it arrived', async () => {
  for (const chunks of [
    ['{"id":5,', '"result":"xxxxxxxxxxxxxxxxx"}\n'],
    ['{"id":5,"result":"xxxxxxxxxxxxxxxxx"}\n'],
    ['{"id"', ':5,"resul', 't":"xxxxxxxxxxxxxxxxx"'],
  ]) {
    const { value: line } = await readLines(fromChunks(chunks), 20).next()
    expect(line?.type === 'oversize' && Buffer.from(line.head).toString()).toMatch(/^\{"id":5,"resul/)
  }
})

test('a line that was kept does not change when more data arrives', async () => {
  async function* input() {
    yield Buffer.from('a')
    yield Buffer.from('b\nc')
    yield Buffer.from('d\n')
  }
  const kept: Uint8Array[] = []
  for await (const line of readLines(input())) if (line.type === 'line') kept.push(line.bytes)
  expect(kept.map((bytes) => Buffer.from(bytes).toString())).toEqual(['ab', 'cd'])
})

test('the lines are the same, however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ''))),
      fc.array(fc.nat()),
      async (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        const places = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b)
        const chunks = [0, ...places].map((place, index) =>
          bytes.subarray(place, places[index] ?? bytes.length),
        )
        expect(await linesOf(chunks)).toEqual(lines)
      },
    ),
  )
})
