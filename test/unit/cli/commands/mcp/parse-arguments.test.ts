import { expect, test } from 'vitest'
import { ArgumentsError, parsePairs } from '../../../../../packages/cli/src/commands/mcp/parse-arguments.ts'

const schema = {
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    maybe: { type: ['null', 'number'] },
    either: { type: ['number', 'string'] },
    on: { type: 'boolean' },
    list: { type: 'array', items: { type: 'number' } },
    words: { type: 'array', items: { type: 'string' } },
    object: { type: 'object' },
  },
}

test.each([
  [['text=5'], { text: '5' }],
  [['text=a=b'], { text: 'a=b' }],
  [['text='], { text: '' }],
  [['other=5'], { other: '5' }],
  [['other:=5'], { other: 5 }],
  [['count=5', 'on=true'], { count: 5, on: true }],
  [['maybe=1.5'], { maybe: 1.5 }],
  [['either=5'], { either: '5' }],
  [['list=1', 'list=2'], { list: [1, 2] }],
  [['list=[1,2]'], { list: [1, 2] }],
  [['words=a', 'words=b c'], { words: ['a', 'b c'] }],
  [['object={"a":1}'], { object: { a: 1 } }],
  [['toString=x'], { toString: 'x' }],
  [[], {}],
])('arguments %j', (pairs, expected) => {
  expect(parsePairs(pairs, schema)).toEqual(expected)
})

test.each([
  [['text'], "'text' must have the form KEY=VALUE"],
  [['=x'], "'=x' must have the form KEY=VALUE"],
  [['count=abc'], `'count' must be an integer, not "abc"`],
  [['maybe=x'], `'maybe' must be a number, not "x"`],
  [['on=yes'], `'on' must be true or false, not "yes"`],
  [['object=1;'], `'object' must be a JSON object, not "1;"`],
  [['other:=x'], `'other' must be valid JSON, not "x"`],
  [[`count=${'x'.repeat(100)}`], `'count' must be an integer, not "${'x'.repeat(79)}…"`],
  [['text=a', 'text=b'], "'text' is given twice"],
])('arguments %j are wrong', (pairs, message) => {
  expect(() => parsePairs(pairs, schema)).toThrow(new ArgumentsError(message))
})
