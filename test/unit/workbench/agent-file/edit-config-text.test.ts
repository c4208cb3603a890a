import { describe, expect, it } from 'vitest'
import {
  editConfigText,
  type TextChange,
} from '../../../../packages/workbench/src/agent-file/edit-config-text.ts'

const set = (path: TextChange['path'], value: unknown): TextChange => ({ path, value })

describe('a change of a YAML file', () => {
  it.each<[string, string, TextChange, string | undefined]>([
    ['fills an empty file', '', set(['a', 'b'], 1), 'a:\n  b: 1\n'],
    ['fills a file of comments', '# mine\n', set(['a'], 1), '# mine\na: 1\n'],
    ['leaves an empty file empty', '# mine\n', set(['a'], undefined), '# mine\n'],
    ['gives up on a file that is no map', 'just a text\n', set(['a'], 1), undefined],
    ['gives up on a file that is broken', 'a: [1\n', set(['a'], 1), undefined],
    ['gives up below a value that is no map', 'a: 1\n', set(['a', 'b'], 2), undefined],
    ['gives up where an anchor is in the way', 'a: &x { b: 1 }\nc: *x\n', set(['c', 'b'], 2), undefined],
    ['fills a field that is there without a value', 'a:\nz: 1\n', set(['a', 'b'], 2), 'a:\n  b: 2\nz: 1\n'],
    ['takes nothing that is not there', 'a: 1\n', set(['b', 'c'], undefined), 'a: 1\n'],
    ['adds an entry between blank lines', 'a: 1\n\nb: 2\n', set(['c'], 3), 'a: 1\n\nb: 2\n\nc: 3\n'],
    ['ends the last line first', 'a: 1', set(['b'], 2), 'a: 1\nb: 2\n'],
    ['keeps single quotes', "a: 'x'\n", set(['a'], 'y'), "a: 'y'\n"],
    ['keeps double quotes', 'a: "x"\n', set(['a'], 'y'), 'a: "y"\n'],
    ['keeps the comment beside a value', 'a: 1 # one\n', set(['a'], { b: 2 }), 'a:\n  b: 2 # one\n'],
    ['writes a map in place of a text', 'a: x\nz: 1\n', set(['a'], { b: [1] }), 'a:\n  b:\n    - 1\nz: 1\n'],
    ['writes an empty list', 'a:\n  - 1\n', set(['a'], []), 'a: []\n'],
    ['adds to a map in braces', 'a: { b: 1 }\n', set(['a', 'c'], 2), 'a: { b: 1, c: 2 }\n'],
    ['fills empty braces', 'a: {}\n', set(['a', 'c'], 2), 'a: { c: 2 }\n'],
    [
      'adds to braces over several lines',
      'a: {\n  b: 1\n}\n',
      set(['a', 'c'], 2),
      'a: {\n  b: 1,\n  c: 2\n}\n',
    ],
    ['takes the first from braces', 'a: { b: 1, c: 2 }\n', set(['a', 'b'], undefined), 'a: { c: 2 }\n'],
    ['takes the last from braces', 'a: { b: 1, c: 2 }\n', set(['a', 'c'], undefined), 'a: { b: 1 }\n'],
    ['takes a map with its only field', 'a:\n  b: 1\nz: 1\n', set(['a', 'b'], undefined), 'z: 1\n'],
    [
      'takes the only item of a list',
      'a: # all\n  # first\n  - b: 1\n',
      set(['a', 0], undefined),
      'a: [] # all\n  # first\n',
    ],
    [
      'takes the field behind a dash',
      'a:\n  - b: 1\n    c: 2\n',
      set(['a', 0, 'b'], undefined),
      'a:\n  - c: 2\n',
    ],
    ['adds an item to a list of maps', 'a:\n  - b: 1\n', set(['a', 1], { b: 2 }), 'a:\n  - b: 1\n  - b: 2\n'],
    [
      'changes an item, and keeps the comments of the others',
      'a:\n  - x # one\n  - y # two\n',
      set(['a'], ['y', 'z']),
      'a:\n  - y # two\n  - z\n',
    ],
    [
      'writes a list anew that has another order',
      'a:\n  - x\n  - y\n',
      set(['a'], ['y', 'x']),
      'a:\n  - y\n  - x\n',
    ],
    ['keeps the ends of the lines', 'a: 1\r\nb: 2\r\n', set(['c'], 3), 'a: 1\r\nb: 2\r\nc: 3\r\n'],
  ])('%s', (_, before, change, after) => {
    expect(editConfigText('ostler.yaml', before, [change])).toBe(after)
  })
})

describe('a change of a JSON file', () => {
  it.each<[string, string, TextChange, string | undefined]>([
    ['fills an empty file', '', set(['a', 'b'], 1), '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ['fills an empty object', '{}', set(['a'], 'x'), '{\n  "a": "x"\n}'],
    [
      'adds behind a comma that is there',
      '{\n  "a": 1, // one\n}\n',
      set(['b'], 2),
      '{\n  "a": 1, // one\n  "b": 2\n}\n',
    ],
    ['adds on one line', '{ "a": 1 }', set(['b'], ['x', 'y']), '{ "a": 1, "b": ["x", "y"] }'],
    ['writes a map', '{\n  "a": 1\n}\n', set(['a'], { b: true }), '{\n  "a": {\n    "b": true\n  }\n}\n'],
    ['takes the first', '{ "a": 1, "b": 2 }', set(['a'], undefined), '{ "b": 2 }'],
  ])('%s', (_, before, change, after) => {
    expect(editConfigText('ostler.jsonc', before, [change])).toBe(after)
  })
})
