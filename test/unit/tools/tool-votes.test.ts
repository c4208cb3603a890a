import { expect, test } from 'vitest'
import { createToolVotes } from '../../../packages/agent-api/src/tools/tool-votes.ts'

const past = (text: string, ...tools: string[]) => ({
  text,
  tools: tools.map((tool) => ({ server: 'shop', tool })),
})
const vote = createToolVotes([
  past('ship the parcel to Rome', 'post'),
  past('ship two parcels', 'post', 'weigh', 'weigh'),
  past('paint the fence', 'brush'),
])

test.each<[query: string, keys: readonly string[]]>([
  ['ship my parcel', ['shop:post', 'shop:weigh']],
  ['painting fences', ['shop:brush']],
  ['the', []],
  ['', []],
  ['sing', []],
])('votes for %j', (query, keys) => {
  const votes = [...vote(query)].toSorted(([, a], [, b]) => b - a)
  expect(votes.map(([key]) => key)).toEqual(keys)
})

test('the same words again are a whole vote, and each search votes once for a tool', async () => {
  expect(vote('Please ship two parcels!').get('shop:weigh')).toBeCloseTo(1)
  const voteOfOne = createToolVotes([past('sing loudly', 'choir')])
  expect(voteOfOne('Sings loudly').get('shop:choir')).toBeCloseTo(1)
})

test('fewer shared words, and words that all share, are weaker', () => {
  const strength = (query: string) => vote(query).get('shop:brush') ?? 0
  expect(strength('paint the fence')).toBeGreaterThan(strength('paint the fence of the neighbours'))
  expect(strength('paint')).toBeGreaterThan(strength('paint Rome'))
})

test('only the ten nearest vote', async () => {
  const many = createToolVotes(
    Array.from({ length: 30 }, (_, index) => past(`call ${'x'.repeat(index + 3)}`, `tool${index}`)),
  )
  expect(many('call someone').size).toBe(10)
  expect(createToolVotes([])('anything').size).toBe(0)
})
