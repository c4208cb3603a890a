import { expect, it } from 'vitest'
import { openHistory } from '../../../packages/agent-api/src/history/open-history.ts'
import type { PlacedAnswer } from '../../../packages/agent-api/src/policy/answer-rule.ts'
import { recordAnswer } from '../../../packages/agent-api/src/session/record-answer.ts'

const form = { server: 'rich', mode: 'form', message: 'Your name?', schema: { properties: { name: {}, age: {} } } } as const
const page = { server: 'rich', mode: 'url', message: 'Log in', url: 'https://example.com/in?state=hush-hush-hush' } as const
const live = new AbortController().signal

it.each<[PlacedAnswer, string, string]>([
  [{ answer: { action: 'accept', content: { name: 'hush-hush-hush' } } }, 'success', 'answer:accepted'],
  [{ answer: { action: 'accept' }, from: 'console' }, 'success', 'answer:accepted:console'],
  [{ answer: { action: 'decline' } }, 'denied', 'answer:declined'],
  [{ answer: { action: 'cancel' }, from: 'console' }, 'cancelled', 'answer:cancelled:console'],
])('the answer %j is recorded as %s by %s, without what was typed', async (placed, status, rule) => {
  using history = openHistory()
  const calls = history.callRecorder({ agent: 'default' })
  for (const asked of [form, page]) expect(await recordAnswer(calls, asked, async () => placed, live)).toEqual(placed.answer)
  const rows = history.listCalls({ limit: 9 }).map(({ id }) => history.findCall(id))
  expect(rows).toMatchObject([
    { server: 'rich', tool: 'elicitation', status, rule, arguments: { mode: 'url', message: 'Log in', host: 'example.com' } },
    { server: 'rich', tool: 'elicitation', status, rule, arguments: { mode: 'form', message: 'Your name?', fields: ['name', 'age'] } },
  ])
  expect(JSON.stringify(rows)).not.toContain('hush')
})

it('a question that ends with its turn was cancelled, and an editor that fails is an error', async () => {
  using history = openHistory()
  const calls = history.callRecorder({ agent: 'default' })
  const fail = () => Promise.reject(new Error('broken'))
  expect(await recordAnswer(calls, form, fail, AbortSignal.abort())).toEqual({ action: 'cancel' })
  await expect(recordAnswer(calls, form, fail, live)).rejects.toThrow('broken')
  expect(history.listCalls({ limit: 9 })).toMatchObject([
    { status: 'error', rule: null },
    { status: 'cancelled', rule: 'answer:cancelled' },
  ])
})
