import { expect, test } from 'vitest'
import { didYouMean } from '../../../packages/agent-api/src/base/did-you-mean.ts'

test.each<[string, readonly string[], string | undefined]>([
  ['raed_file', ['write_file', 'read_file'], 'read_file'],
  ['Read_File', ['read_file'], 'read_file'],
  ['abcdef', ['abcdefghi'], 'abcdefghi'],
  ['abcdef', ['abcdefghij'], undefined],
  ['ab', ['x'], undefined],
])('%s among %j means %s', (word, candidates, meant) => {
  expect(didYouMean(word, candidates)).toBe(meant)
})
