import { expect, test } from 'vitest'
import { parseIgnore, verdictOf } from '../../../../packages/agent-api/src/workspace/search/ignore-levels.ts'

/** A path with a slash at its end is a folder. */
test.each<[file: string, ignored: readonly string[], kept: readonly string[]]>([
  ['*.log', ['a.log', 'b/a.log', 'a.log/'], ['a.logs']],
  ['node_modules', ['node_modules/', 'a/node_modules/', 'node_modules'], ['node_modules2']],
  ['build/', ['build/', 'a/build/'], ['build']],
  ['/top', ['top'], ['a/top']],
  ['doc/*.txt', ['doc/a.txt'], ['doc/x/a.txt', 'x/doc/a.txt']],
  ['**/deep/x', ['deep/x', 'a/b/deep/x'], ['x']],
  ['a/**', ['a/b', 'a/b/c'], ['a/']],
  ['a/**/b', ['a/b', 'a/x/y/b'], ['b']],
  ['*.log\n!keep.log', ['a.log'], ['keep.log']],
  ['!keep.log\n*.log', ['keep.log'], []],
  ['# a remark\n\n   ', [], ['# a remark', '   ']],
  [String.raw`\#a`, ['#a'], ['a']],
  [String.raw`\!a`, ['!a'], ['a']],
  ['a \r\nb\\ ', ['a', 'b '], ['b']],
  ['\ufeffa', ['a'], []],
  ['[', ['['], ['a']],
  ['*.{a,b}', ['x.{a,b}'], ['x.a']],
  ['[z-a]\nb', ['b'], ['z']],
  ['/', [], ['a', '/']],
])('%j', async (file, ignored, kept) => {
  const rules = await parseIgnore(file)
  const isIgnored = (path: string) => verdictOf(rules, path.replace(/\/$/, ''), path.endsWith('/')) === true
  expect(ignored.filter((path) => !isIgnored(path))).toEqual([])
  expect(kept.filter(isIgnored)).toEqual([])
})
