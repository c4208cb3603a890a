import { expect, test } from 'vitest'
import { parseLine, parseLongLine } from '../../../packages/agent-api/src/mcp/transports/parse-line.ts'

const message = { jsonrpc: '2.0', id: 1, result: {} }

test.each<[string, string, object]>([
  ['a message', JSON.stringify(message), { messages: [message] }],
  ['an empty line that ends in a carriage return', '\r', { messages: [] }],
  ['a banner in front of a message', `hello ${JSON.stringify(message)}`, { messages: [message], noise: 'hello ' }],
  ['a banner', 'hello', { messages: [], noise: 'hello' }],
])('%s is read the same after a long line', async (_case, line, parsed) => {
  expect(parseLine(line)).toEqual(parsed)
  expect(await parseLongLine(line)).toEqual(parsed)
})

test('a line with very many small values is not parsed', async () => {
  const line = (values: number) => JSON.stringify({ ...message, result: { list: Array.from({ length: values }, () => ({})) } })
  expect((await parseLongLine(line(700_000))).messages).toHaveLength(1)
  expect(await parseLongLine(line(800_000))).toEqual({ messages: [], limit: 'holds more than 1500000 values' })
})
