import { expect, test } from 'vitest'
import type { Message } from '../../../../packages/agent-api/src/messages/message.ts'
import { formatToolsForProvider } from '../../../../packages/agent-api/src/provider/format-tools.ts'
import { openModel } from '../../../../packages/agent-api/src/provider/open-model.ts'
import { streamModel } from '../../../../packages/agent-api/src/provider/stream-model.ts'
import { toModelPrompt } from '../../../../packages/agent-api/src/provider/to-model-prompt.ts'
import { createReplyDraft } from '../../../../packages/agent-api/src/turn/reply-draft.ts'
import { textOf, userSays } from '../../../provider/ask.ts'

const inputSchema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
}
const tools = formatToolsForProvider(
  [{ name: 'calc__add', description: 'Adds two numbers', inputSchema }],
  'offline',
)

async function step(messages: readonly Message[], signal = new AbortController().signal) {
  const model = await openModel('offline', { providers: {}, env: {} }, { redact: (text) => text })
  const prompt = await toModelPrompt('Be kind', messages, model.vendor)
  return Array.fromAsync(streamModel(model, { prompt, tools }, { signal }))
}

test('without any key a sentence becomes a call, and its result an answer', async () => {
  const messages: Message[] = [userSays('add 2 and 3')]
  const draft = createReplyDraft()
  const first = await step(messages)
  for (const part of first) draft.add(part)
  expect(first.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'tool-calls' } })
  const message = draft.message({ withCalls: true })
  const [call] = message.parts
  expect(call).toMatchObject({ type: 'tool_call', wireName: 'calc__add', input: '{"a":2,"b":3}' })

  const content = [
    { type: 'text' as const, text: '5' },
    { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' },
  ]
  const id = call?.type === 'tool_call' ? call.id : ''
  messages.push(message, {
    role: 'tool',
    results: [{ id, wireName: 'calc__add', outcome: 'success', result: { isError: false, content } }],
  })
  const second = await step(messages)
  expect(textOf(second)).toBe('`calc__add` answered:\n\n> 5\n\nIt also returned 1 file.')
  expect(second.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } })
})

test('a longer text arrives in several pieces, with estimated usage', async () => {
  const parts = await step([userSays('hello')])
  const deltas = parts.filter((part) => part.type === 'text-delta')
  expect(deltas.length).toBeGreaterThan(5)
  expect(textOf(parts)).toMatch(/^I am Ostler's built-in offline model[\s\S]*`lmstudio\/…`\)\.$/)
  const { usage } = parts.find((part) => part.type === 'finish') ?? {}
  expect(usage?.inputTokens.total).toBeGreaterThan(5)
  expect(usage?.outputTokens.total).toBe(Math.ceil(textOf(parts).length / 4))
})

test('is cancelled like any other', async () => {
  const reason = new Error('no more')
  await expect(step([userSays('hello')], AbortSignal.abort(reason))).rejects.toBe(reason)
})
