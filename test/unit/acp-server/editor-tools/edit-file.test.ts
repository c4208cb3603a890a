import { expect, test } from 'vitest'
import { replaceOnce } from '../../../../packages/acp-server/src/editor-tools/edit-file.ts'

test.each([
  ['one\ntwo\nthree', 'two', '2', 'one\n2\nthree', 2],
  ['a', 'a', '', '', 1],
  ['cost', 'cost', '$& $1 $$', '$& $1 $$', 1],
  ['x\r\ny', '\r\n', '\n', 'x\ny', 1],
])('in %j, %j becomes %j', (text, before, after, expected, line) => {
  expect(replaceOnce(text, before, after)).toEqual({ type: 'edited', text: expected, line })
})

test.each([
  ['aaa', 'aa', 'b', /more than once/],
  ['abc', 'x', 'b', /not in the file/],
  ['abc', '', 'b', /empty/],
  ['abc', 'b', 'b', /the same/],
])('in %j, %j stays: %s', (text, before, after, problem) => {
  expect(replaceOnce(text, before, after)).toEqual({ type: 'problem', problem: expect.stringMatching(problem) })
})
