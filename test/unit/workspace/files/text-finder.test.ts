import { expect, test } from 'vitest'
import { createTextFinder } from '../../../../packages/agent-api/src/workspace/files/text-finder.ts'

const a = (count: number) => 'a'.repeat(count)

test.each([
  ['a short text', 'xaby', 'ab'],
  ['a long text', `${a(99)}b${a(200)}c`, `${a(100)}c`],
  ['its own repetition', `${'ab'.repeat(100)}c`, `${'ab'.repeat(40)}c`],
  ['the whole', a(100), a(100)],
  ['overlapping places', a(150), a(100)],
  ['nothing', `${a(99)}b${a(99)}`, a(100)],
  ['a border that shrinks twice', `${'aabaaa'.repeat(30)}aabaab`, `${'aabaaa'.repeat(12)}aabaab`],
])('%s is found where indexOf finds it', (_, text, wanted) => {
  const find = createTextFinder(wanted)
  for (const from of [0, 1, 50, text.length]) expect(find(text, from)).toBe(text.indexOf(wanted, from))
})

test('it takes linear time where both texts repeat themselves', () => {
  const wanted = `${a(500_000)}b${a(500_000)}`
  expect(createTextFinder(wanted)(a(2 ** 21), 0)).toBe(-1)
})
