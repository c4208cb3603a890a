import { expect, test } from 'vitest'
import { compileGlob } from '../../../../packages/agent-api/src/workspace/search/glob.ts'

test.each<[pattern: string, yes: readonly string[], no: readonly string[]]>([
  ['*.ts', ['a.ts', 'a/b.ts', '.ts'], ['a.tsx', 'a.ts/b']],
  ['a*c', ['ac', 'abc', 'x/abbc'], ['abd', 'ab/c']],
  ['?.ts', ['a.ts', 'ü.ts', '😀.ts'], ['.ts', 'ab.ts']],
  ['**/*.ts', ['a.ts', 'a/b/c.ts'], ['a.js']],
  ['src/**/*.ts', ['src/a.ts', 'src/b/c/a.ts'], ['a.ts', 'lib/src/a.ts']],
  ['src/**', ['src/a', 'src/b/c'], ['src', 'a/src/b']],
  ['src/', ['src/a', 'src/b/c'], ['src', 'lib/a']],
  ['/a.ts', ['a.ts'], ['b/a.ts']],
  ['./a.ts', ['a.ts'], ['b/a.ts']],
  ['a/*/c', ['a/b/c'], ['a/c', 'a/b/b/c']],
  ['a/**/c', ['a/c', 'a/b/b/c'], ['a/b']],
  ['**', ['a', 'a/b'], []],
  ['*.{ts,tsx}', ['a.ts', 'b/a.tsx'], ['a.js', 'a.{ts,tsx}']],
  ['{src,test}/{a,b{1,2}}.ts', ['src/a.ts', 'test/b2.ts'], ['src/b.ts']],
  ['{a}', ['a'], ['{a}']],
  ['{src/**,lib}/*.ts', ['src/a/b.ts', 'lib/b.ts'], ['b.ts']],
  ['a,b', ['a,b'], ['a']],
  ['a{b', ['a{b'], ['ab']],
  ['[ab].ts', ['a.ts'], ['c.ts', '[ab].ts']],
  ['[!ab].ts', ['c.ts'], ['a.ts']],
  ['[a-c]x', ['bx'], ['dx', '-x']],
  ['[]]x', [']x'], ['x']],
  [String.raw`[\]\-z]`, [']', '-'], ['a', '^']],
  ['[^a]', ['b', '^'], ['a', '/']],
  ['(a|b).+', ['(a|b).+'], ['a.x']],
  ['[ab', ['[ab'], ['a']],
  [String.raw`\*.ts`, ['*.ts'], ['a.ts']],
  ['a**b', ['ab', 'axb'], ['a/b']],
  ['*a*b*', ['xaxbx', 'ab'], ['ba']],
  ['', [''], ['a']],
])('%s', (pattern, yes, no) => {
  const matches = compileGlob(pattern)
  expect(yes.filter((path) => !matches(path))).toEqual([])
  expect(no.filter((path) => matches(path))).toEqual([])
})

test.each([
  ['[z-a]', 'invalid character class range'],
  ['a'.repeat(1_001), 'longer than 1000 characters'],
])('%s is refused', (pattern, reason) => expect(() => compileGlob(pattern)).toThrow(reason))

test('every pattern is matched quickly, however many stars it has', () => {
  const names = `${'*a'.repeat(400)}b`
  const folders = `${'**/a/'.repeat(100)}b`
  expect(compileGlob(names)('a'.repeat(4_000))).toBe(false)
  expect(compileGlob(folders)('a/'.repeat(2_000))).toBe(false)
})
