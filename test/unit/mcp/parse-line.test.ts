import { expect, test } from 'vitest'
import { parseLine } from '../../../packages/agent-api/src/mcp/transports/read-messages.ts'

const message = { jsonrpc: '2.0', id: 1, result: {} }

test.each<[string, string, object]>([
  ['a message', JSON.stringify(message), { messages: [message] }],
  ['an empty line that ends in a carriage return', '\r', { messages: [] }],
  [
    'a banner in front of a message',
    `hello ${JSON.stringify(message)}`,
    { messages: [message], noise: 'hello ' },
  ],
  ['a banner', 'hello', { messages: [], noise: 'hello' }],
])('%s is read', (_case, line, parsed) => {
  expect(parseLine(line)).toEqual(parsed)
})
