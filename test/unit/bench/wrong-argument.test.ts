import { expect, test } from 'vitest'
import { checkNames, wrongArgumentOf } from '../../bench/wrong-argument.ts'

test('only an argument that is wrong is told without a stack', async () => {
  const check = (names: string[]) => () => Promise.resolve(checkNames('agents', names, ['a', 'b']))
  expect(await wrongArgumentOf(async () => checkNames('agents', ['b', 'x', 'y'], ['a', 'b']))).toBe(
    'unknown agents: x, y. Known: a, b',
  )
  expect(await wrongArgumentOf(check(['a']))).toBeUndefined()
  const error = new TypeError('a mistake of the bench')
  await expect(wrongArgumentOf(() => Promise.reject(error))).rejects.toBe(error)
})
