import { expect, test } from 'vitest'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'
import { createCallMembrane } from '../../../packages/agent-api/src/tools/call-membrane.ts'

const { view } = createCallMembrane(createRedactor())
const call = (wireName: string) =>
  ({ type: 'tool_call', id: 'call', wireName, input: '' }) as unknown as Parameters<typeof view>[0]
const tool = (server: string, name: string) =>
  ({ ref: { server, tool: name }, inputSchema: {}, kind: 'other' }) as unknown as NonNullable<
    Parameters<typeof view>[1]
  >

test.each([
  ['of the tool', tool('srv', 'rm\u202etxt.exe'), {}, String.raw`srv: rm\u202etxt.exe`],
  ['of the server', tool('a\u200bb', 'read'), {}, String.raw`a\u200bb: read`],
  [
    'of an argument',
    tool('srv', 'read'),
    { path: 'a\u001b[31m\u{e0041}\nb' },
    String.raw`srv: read a\u001b[31m\udb40\udc41 b`,
  ],
])('a title shows the hidden characters %s', (_, offered, args, title) => {
  expect(view(call('w'), offered, args).title).toBe(title)
})

test('a title shows the hidden characters of an unknown tool, and has a limit', () => {
  expect(view(call('x\u2066y'), undefined, undefined).title).toBe(String.raw`unknown tool x\u2066y`)
  expect(view(call('x'.repeat(2_000)), undefined, undefined).title).toHaveLength(1_001)
})
