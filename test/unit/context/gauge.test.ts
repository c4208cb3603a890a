import { expect, test } from 'vitest'
import {
  afterAnswer,
  afterChange,
  afterRefusal,
  emptyGauge,
  forModel,
  tokensIn,
} from '../../../packages/agent-api/src/context/gauge.ts'

const gauge = emptyGauge('a/b')

test('without a count of the vendor, everything is estimated', () => {
  expect(tokensIn(gauge, { fixed: 100, messages: [20, 30] })).toBe(150)
})

test('the count of the vendor is used, and only what was added since is estimated', () => {
  const counted = afterAnswer(gauge, { fixed: 100, messages: [20] }, { input: 240, output: 50 })
  expect(tokensIn(counted, { fixed: 100, messages: [20, 999] })).toBe(290)
  // The vendor counts twice as many as the estimate.
  expect(tokensIn(counted, { fixed: 100, messages: [20, 999, 10] })).toBe(310)
})

test('after a change, everything is estimated at the rate of the vendor', () => {
  const counted = afterChange(afterAnswer(gauge, { fixed: 100, messages: [20] }, { input: 240, output: 50 }))
  expect(tokensIn(counted, { fixed: 100, messages: [10] })).toBe(220)
})

test('a count is not used for fewer messages than it was made of', () => {
  const counted = afterAnswer(gauge, { fixed: 0, messages: [10, 10, 10] }, { input: 30, output: 5 })
  expect(tokensIn(counted, { fixed: 0, messages: [10] })).toBe(10)
})

test('a server that counts nothing, or nonsense, changes little', () => {
  expect(afterAnswer(gauge, { fixed: 1, messages: [] }, { input: 0, output: 0 })).toBe(gauge)
  expect(afterAnswer(gauge, { fixed: 1, messages: [] }, { input: 1_000_000, output: 0 }).ratio).toBe(4)
  expect(afterAnswer(gauge, { fixed: 1_000, messages: [] }, { input: 1, output: 0 }).ratio).toBe(0.5)
})

test.each([
  ['nothing: the window is a little smaller than the request', 1_000, undefined, 950, 1_000],
  ['a size below the estimate', 1_000, 800, 800, 1_000],
  ['a size above the estimate: the estimate was too low', 1_000, 1_900, 1_900, 2_000],
])('a refusal that names %s', (_, estimate, named, sizeMax, tokens) => {
  const learned = afterRefusal(gauge, { fixed: estimate, messages: [] }, named)
  expect(learned.sizeMax).toBe(sizeMax)
  expect(tokensIn(learned, { fixed: estimate, messages: [] })).toBe(tokens)
})

test('another model starts from scratch, and the facts about the first one return with it', () => {
  const learned = afterRefusal(gauge, { fixed: 10, messages: [] }, undefined)
  expect(forModel(learned, 'a/b')).toBe(learned)
  const other = forModel(learned, 'a/c')
  expect(other).toMatchObject({ model: 'a/c', ratio: 1, sizeMax: Infinity })
  expect(forModel(other, 'a/b')).toMatchObject({ model: 'a/b', sizeMax: learned.sizeMax })
  let many = learned
  for (let index = 0; index < 100; index++) many = forModel(many, `m/${index}`)
  expect(many.others.length).toBeLessThan(50)
})
