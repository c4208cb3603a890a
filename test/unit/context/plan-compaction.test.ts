import { describe, expect, test } from 'vitest'
import { estimateMessage, sum } from '../../../packages/agent-api/src/context/estimate-tokens.ts'
import {
  planCompaction,
  planShortening,
  planTrimming,
} from '../../../packages/agent-api/src/context/plan-compaction.ts'
import { applyChange } from '../../../packages/agent-api/src/messages/conversation.ts'
import type { Message } from '../../../packages/agent-api/src/messages/message.ts'

/** About this many tokens. */
const words = (tokens: number) => 'word '.repeat((tokens * 3.6) / 5)
const user = (id: string, tokens = 10): Message => ({
  role: 'user',
  id,
  content: [{ type: 'text', text: words(tokens) }],
})
const says = (id: string, tokens = 10): Message => ({
  role: 'assistant',
  id,
  parts: [{ type: 'text', text: words(tokens) }],
})
const step = (id: string, tokens: number): Message[] => [
  { role: 'assistant', id: `a-${id}`, parts: [{ type: 'tool_call', id, wireName: 'read', input: '{}' }] },
  {
    role: 'tool',
    results: [
      {
        id,
        wireName: 'read',
        outcome: 'success',
        result: { isError: false, content: [{ type: 'text', text: words(tokens) }] },
      },
    ],
  },
]
const estimateMessages = (messages: readonly Message[]) => sum(messages.map(estimateMessage))
const turn = (id: string, tokens: number): Message[] => [
  user(`u-${id}`),
  ...step(id, tokens),
  says(`s-${id}`),
]

describe('shortening', () => {
  const messages = [
    ...turn('old', 900),
    ...turn('large', 3_000),
    ...turn('small', 100),
    ...turn('new', 2_000),
  ]

  test('takes the oldest and largest results first, and no more than needed', () => {
    expect(planShortening(messages, 10_000, 500)?.map(({ call }) => call)).toEqual(['large'])
    expect(planShortening(messages, 10_000, 3_200)?.map(({ call }) => call)).toEqual(['large', 'old'])
  })

  test('spares the newest messages and small results', () => {
    expect(planShortening(messages, 10_000, 6_000)).toBeUndefined()
  })

  test('saves as much as it promises', () => {
    const results = planShortening(messages, 10_000, 3_200) ?? []
    const shorter = applyChange(messages, { type: 'shortened', results })
    expect(estimateMessages(messages) - estimateMessages(shorter)).toBeGreaterThanOrEqual(3_200)
    // A text that was shortened once is not worth shortening again.
    expect(planShortening(shorter, 10_000, 100)).toBeUndefined()
  })
})

describe('trimming', () => {
  test.each([500, 3_000, 8_000])('cuts the largest results to one size, to save %i tokens', (excess) => {
    const messages = [...step('a', 6_000), ...step('b', 1_000), ...step('c', 5_000)]
    const shorter = applyChange(messages, { type: 'shortened', results: planTrimming(messages, excess) })
    const saved = estimateMessages(messages) - estimateMessages(shorter)
    expect(saved).toBeGreaterThan(excess * 0.9)
    expect(saved).toBeLessThan(excess + 200)
  })

  test('leaves nothing but the beginnings if even that is not enough', () => {
    const messages = [...step('a', 6_000), ...step('b', 5_000)]
    const shorter = applyChange(messages, { type: 'shortened', results: planTrimming(messages, 1_000_000) })
    expect(estimateMessages(shorter)).toBeLessThan(600)
  })
})

describe('compaction', () => {
  const keptOf = (messages: readonly Message[], isOpen: boolean) => {
    const plan = planCompaction(messages, 10_000, isOpen)
    if (plan === undefined) return undefined
    return applyChange(messages, { type: 'compacted', summary: 's', ...plan })
      .slice(1)
      .map((message) => (message.role === 'tool' ? message.results[0]?.id : message.id))
  }

  test('keeps the newest turns whole', () => {
    expect(
      keptOf([...turn('1', 4_000), ...turn('2', 3_000), ...turn('3', 1_000), user('now')], true),
    ).toEqual(['u-3', 'a-3', '3', 's-3', 'now'])
  })

  test('keeps the prompt that is being answered, however long it is', () => {
    expect(keptOf([...turn('1', 4_000), user('now', 6_000)], true)).toEqual(['now'])
  })

  test('keeps an open turn whole while it is not too long', () => {
    expect(
      keptOf([...turn('1', 4_000), user('now'), ...step('a', 1_500), ...step('b', 1_500)], true),
    ).toEqual(['now', 'a-a', 'a', 'a-b', 'b'])
  })

  test('keeps the prompt and the newest steps of a turn that is too long', () => {
    const steps = ['a', 'b', 'c', 'd'].flatMap((id) => step(id, 2_000))
    expect(keptOf([...turn('1', 100), user('now'), ...steps], true)).toEqual(['now', 'a-d', 'd'])
  })

  test('keeps the last step even if it is too long by itself', () => {
    expect(keptOf([user('now'), ...step('a', 3_000), ...step('b', 9_000)], true)).toEqual(['now', 'a-b', 'b'])
  })

  test('by hand, replaces everything that is not new', () => {
    expect(keptOf([...turn('1', 4_000), ...turn('2', 500)], false)).toEqual(['u-2', 'a-2', '2', 's-2'])
    expect(keptOf([...turn('1', 4_000), ...turn('2', 3_000)], false)).toEqual([])
  })

  test.each<[string, Message[]]>([
    ['nothing', []],
    ['only a prompt', [user('now', 9_999)]],
    [
      'only an earlier summary',
      [...applyChange([], { type: 'compacted', summary: words(4_000), kept: 0 }), user('now')],
    ],
    ['a few words', [user('1'), says('2'), user('now')]],
  ])('does not summarize %s', (_, messages) => {
    expect(planCompaction(messages, 10_000, true)).toBeUndefined()
  })
})
