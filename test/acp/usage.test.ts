import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { load, openSessionLab } from '../support/acp-sessions.ts'
import type { Reply } from '../support/loopback-model/index.ts'

const usagesOf = (updates: readonly SessionUpdate[]) =>
  updates.filter((update) => update.sessionUpdate === 'usage_update')
const counted: Reply = { text: 'ok', usage: { inputTokens: 100_000, outputTokens: 10_000 } }

/** A provider at the address of the scripted model. */
const provider = (url: string, more: object) => ({
  work: { type: 'anthropic' as const, baseUrl: url, apiKey: 'k', ...more },
})

test('the window and the prices of the agent file take precedence over the table', async () => {
  await using lab = await openSessionLab(() => counted)
  const prices = { currency: 'EUR', input: 3, output: 15 }
  const models = { 'claude-sonnet-4-5': { contextSize: 150_000 } }
  const agent = {
    model: 'work/claude-sonnet-4-5',
    providers: provider(lab.model.url, { contextSize: 50_000, prices, models }),
  }
  await using editor = await lab.open({ agent })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'one')
  expect(usagesOf(editor.updates(sessionId)).at(-1)).toMatchObject({
    used: 110_000,
    size: 150_000,
    cost: { amount: 0.45, currency: 'EUR' },
  })
  await editor.prompt(sessionId, 'two')
  expect(usagesOf(editor.updates(sessionId)).at(-1)).toMatchObject({ cost: { amount: 0.9, currency: 'EUR' } })
  // A loaded session continues to count.
  await using other = await lab.open({ agent })
  await load(other, { sessionId, cwd: lab.path })
  await other.prompt(sessionId, 'three')
  expect(usagesOf(other.updates(sessionId)).at(-1)).toMatchObject({ cost: { amount: 1.35, currency: 'EUR' } })
})

test('the tokens of a title that the small model writes count, and so does their cost', async () => {
  await using lab = await openSessionLab(({ model }) =>
    model.includes('haiku') ? { ...counted, text: 'A title' } : counted,
  )
  const prices = { currency: 'EUR', input: 3, output: 15 }
  const models = { 'claude-haiku-4-5': { prices: { currency: 'EUR', input: 1, output: 5 } } }
  const agent = {
    model: 'work/claude-sonnet-4-5',
    smallModel: 'work/claude-haiku-4-5',
    providers: provider(lab.model.url, { prices, models }),
  }
  await using editor = await lab.open({ agent })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'one')
  expect(lab.model.requests).toHaveLength(2)
  expect(usagesOf(editor.updates(sessionId)).at(-1)).toMatchObject({
    used: 110_000,
    cost: { amount: 0.6, currency: 'EUR' },
  })
})

test('without prices, no cost is shown', async () => {
  await using lab = await openSessionLab(() => counted)
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'one')
  expect(usagesOf(editor.updates(sessionId)).at(-1)).toEqual({
    sessionUpdate: 'usage_update',
    used: 110_000,
    size: 200_000,
  })
})

test.each(['openai', 'anthropic', 'google', 'openai-responses'] as const)(
  'if %s reports no tokens, they are estimated, and marked so',
  async (vendor) => {
    await using lab = await openSessionLab(
      () => ({ text: 'ok', usage: { inputTokens: 0, outputTokens: 0 } }),
      { vendor },
    )
    await using editor = await lab.open()
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    await editor.prompt(sessionId, 'one')
    const small = usagesOf(editor.updates(sessionId)).at(-1)
    expect(small).toMatchObject({ _meta: { 'ostler/estimated': true } })
    // Most of it is for the tools.
    expect(small?.used).toBeGreaterThan(1_000)
    await editor.prompt(sessionId, 'word '.repeat(4_000))
    const large = usagesOf(editor.updates(sessionId)).at(-1)
    const added = (large?.used ?? 0) - (small?.used ?? 0)
    expect(added).toBeGreaterThan(4_000)
    expect(added).toBeLessThan(8_000)
  },
)

test('near the end of the window, Anthropic is asked for an answer that fits', async () => {
  await using lab = await openSessionLab((_request, index) =>
    index === 0 ? { text: 'ok', usage: { inputTokens: 150_000, outputTokens: 10 } } : { text: 'ok' },
  )
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'one')
  await editor.prompt(sessionId, 'two')
  const limits = lab.model.requests.map(({ body }) => (body as { max_tokens: number }).max_tokens)
  expect(limits[0]).toBe(64_000)
  expect(limits[1]).toBeLessThan(50_000)
  expect(limits[1]).toBeGreaterThan(20_000)
})
