import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { silentLogger } from '../../../../packages/agent-api/src/base/logger.ts'
import { expect, test } from 'vitest'
import { openWire } from '../../../../packages/acp-server/src/wire/open-wire.ts'
import { parseOversize } from '../../../../packages/acp-server/src/wire/parse-line.ts'

test.each<[string, string, object]>([
  ['a request', '{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":', { type: 'refused', id: 7 }],
  [
    'a request whose id is a word',
    '{ "id": "a-7", "method":"session/prompt","params":',
    { type: 'refused', id: 'a-7' },
  ],
  ['an answer to a request of ours', '{"jsonrpc":"2.0","id":3,"result":', { type: 'response', id: 3 }],
])('%s is answered by its id', (_, head, expected) => {
  expect(parseOversize(Buffer.from(head), new Set([3]))).toMatchObject(expected)
})

test.each([
  ['a notification', '{"jsonrpc":"2.0","method":"session/cancel","params":{"id":7,"method":"'],
  ['an answer to no request', '{"jsonrpc":"2.0","id":9,"result":'],
  ['an id that is escaped', '{"jsonrpc":"2.0","id":"\\u0061","method":"session/prompt","params":'],
  ['anything else', '[[[['],
])('%s is refused without an id', (_, head) => {
  expect(parseOversize(Buffer.from(head), new Set([3]))).not.toHaveProperty('id')
})

test('a line with too many values is refused, and not by the id of a request that is still running', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const wire = openWire(input, output, silentLogger)
  const request = (id: number, values: number) =>
    `{"jsonrpc":"2.0","id":${id},"method":"a","params":{"list":[${'0,'.repeat(values)}0]}}\n`
  input.end(request(1, 30_000) + request(3, 30_000) + request(1, 51_000) + request(2, 51_000))
  expect(await Array.fromAsync(wire.incoming)).toMatchObject([{ id: 1 }, { id: 3 }])
  output.end()
  const answers = (await text(output))
    .split('\n', 2)
    .map((line) => JSON.parse(line) as { readonly error: { readonly message: string } })
  expect(answers).toMatchObject([{ id: null }, { id: 2 }])
  expect(answers[0]?.error.message).toContain('at most 8 MiB and 50,000 JSON values; send less at once')
})
