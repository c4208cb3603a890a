import { expect, test } from 'vitest'
import { estimateMessage, sum } from '../../../packages/agent-api/src/context/estimate-tokens.ts'
import { fitMessages } from '../../../packages/agent-api/src/context/fit-messages.ts'
import { longConversation } from '../../support/long-conversation.ts'

const messages = longConversation(20)
const tokens = sum(messages.map(estimateMessage))

test('a conversation that fits stays as it is', async () => {
  expect(await fitMessages(messages, tokens)).toBe(messages)
})

test('results are shortened first', async () => {
  const long = longConversation(20, 20_000)
  const tokensMax = sum(long.map(estimateMessage)) / 3
  const fitted = await fitMessages(long, tokensMax)
  expect(fitted.length).toBeGreaterThan(long.length * 0.9)
  expect(sum(fitted.map(estimateMessage))).toBeLessThanOrEqual(tokensMax)
})

test('then messages after the first are left out, but never a call without its result', async () => {
  for (let share = 0.01; share < 0.4; share += 0.002) {
    const fitted = await fitMessages(messages, tokens * share)
    expect(fitted[0]).toBe(messages[0])
    expect(fitted[1]?.role).not.toBe('tool')
    if (fitted.length > 1) expect(sum(fitted.map(estimateMessage))).toBeLessThanOrEqual(tokens * share)
    if (fitted.length > 1) expect(fitted.at(-1)).toBe(messages.at(-1))
  }
})
