import { expect, test } from 'vitest'
import { didYouMean } from '../../../packages/agent-api/src/base/did-you-mean.ts'
import { loopBlockMaxMs, slowRunsAllowed } from '../../support/loop-monitor.ts'

test.each<[string, readonly string[], string | undefined]>([
  ['raed_file', ['write_file', 'read_file'], 'read_file'],
  ['Read_File', ['read_file'], 'read_file'],
  ['abcdef', ['abcdefghi'], 'abcdefghi'],
  ['abcdef', ['abcdefghij'], undefined],
  ['ab', ['x'], undefined],
])('%s among %j means %s', (word, candidates, meant) => {
  expect(didYouMean(word, candidates)).toBe(meant)
})

test('thousands of long names take little work', slowRunsAllowed, () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `tool-${index}`.padEnd(512, 'xyz'))
  const start = performance.now()
  expect(didYouMean('read_file', names)).toBeUndefined()
  expect(performance.now() - start).toBeLessThan(loopBlockMaxMs)
})
