import { expect, test } from 'vitest'
import type { ToolOffer } from '@ostler/agent-api/internal'
import {
  changesOf,
  mergeOffers,
  offersOfTurn,
  reasonText,
} from '../../../packages/console/src/page/pages/sessions/offers.ts'

const offer = (turn: number, step: number, ...tools: string[]): ToolOffer => ({
  turn,
  step,
  tools,
  count: tools.length,
  left: [],
})
const all = [offer(1, 1, 'a'), offer(1, 3, 'a', 'b'), offer(3, 1, 'c'), offer(4, 2, 'c', 'd')]

test.each([
  [1, [all[0], all[1]]],
  [2, [all[1]]],
  [3, [all[2]]],
  [4, [all[2], all[3]]],
  [9, [all[3]]],
  [0, []],
])('turn %i shows the offer it began with, and each change', (turn, expected) => {
  expect(offersOfTurn(all, turn)).toEqual(expected)
})

test('a change says what was added and removed', () => {
  expect(changesOf(offer(1, 2, 'b', 'c'), offer(1, 1, 'a', 'b'))).toEqual({ added: ['c'], removed: ['a'] })
})

test('newer copies replace older ones, in order', () => {
  expect(mergeOffers([all[2]!, all[0]!], [offer(1, 1, 'z'), all[1]!])).toEqual([
    offer(1, 1, 'z'),
    all[1],
    all[2],
  ])
})

test('each reason is a sentence with a number', () => {
  expect(reasonText('search', 1)).toBe('1 tool offered only if the model searches for them')
  expect(reasonText('unconnected', 2)).toBe('2 servers not connected')
})
