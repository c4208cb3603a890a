import { expect, test } from 'vitest'
import { addCost } from '../../../packages/agent-api/src/context/session-cost.ts'

const usage = (total: number, output: number, cached: { cacheRead?: number; cacheWrite?: number } = {}) => ({
  inputTokens: { total, noCache: undefined, cacheRead: cached.cacheRead, cacheWrite: cached.cacheWrite },
  outputTokens: { total: output, text: undefined, reasoning: undefined },
})
const prices = { currency: 'USD', input: 3, output: 15 }

test.each([
  ['input and output', usage(1_000_000, 100_000), prices, 4.5],
  ['cached input at the price of input', usage(1_000_000, 0, { cacheRead: 900_000 }), prices, 3],
  [
    'cached input at its own price',
    usage(1_000_000, 0, { cacheRead: 900_000 }),
    { ...prices, cacheRead: 0.3 },
    0.57,
  ],
  [
    'input that is added to the cache',
    usage(1_000_000, 0, { cacheWrite: 1_000_000 }),
    { ...prices, cacheWrite: 3.75 },
    3.75,
  ],
  ['nothing', usage(0, 0), prices, 0],
])('counts %s', (_, counted, own, amount) => {
  expect(addCost(undefined, counted, own)).toEqual({ amount, currency: 'USD' })
})

test('adds up without rounding errors, and only what is in one currency', () => {
  const one = addCost(undefined, usage(100_000, 0), { ...prices, input: 1 })
  expect(addCost(one, usage(200_000, 0), { ...prices, input: 1 })).toEqual({ amount: 0.3, currency: 'USD' })
  expect(addCost(one, usage(1_000_000, 0), { ...prices, currency: 'EUR' })).toEqual({
    amount: 3,
    currency: 'EUR',
  })
})

test('a model without prices costs nothing that is known', () => {
  expect(addCost(undefined, usage(1, 1), undefined)).toBeUndefined()
  expect(addCost({ amount: 1, currency: 'USD' }, usage(1, 1), undefined)).toEqual({
    amount: 1,
    currency: 'USD',
  })
})
