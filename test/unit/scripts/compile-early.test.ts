import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { toEarlyCode } from '../../../packages/cli/compile-early.ts'

/** Where functions begin, as V8 counts: at the first character of an expression or a declaration, and of the parameters of a method. */
function startsOf(code: string, ...functions: readonly string[]): ReadonlySet<number> {
  return new Set(
    functions.map((text) => {
      const start = code.indexOf(text)
      if (start === -1) throw new Error(`there is no ${text}`)
      return start
    }),
  )
}

test.for([
  ['a function that ran', 'use(function () {})', 'function', 'use((function () {}))'],
  ['an arrow function', 'const a = x => x', 'x => x', 'const a = (x => x)'],
  ['an async arrow function', 'const a = async () => 1', 'async', 'const a = (async () => 1)'],
  ['a value of a property', '({ a: () => 1 })', '() =>', '({ a: (() => 1) })'],
  ['a field of a class', 'class A { a = () => 1 }', '() =>', 'class A { a = (() => 1) }'],
] as const)('%s is in parentheses', ([, code, ran, early]) => {
  expect(toEarlyCode(code, startsOf(code, ran))).toBe(early)
})

test.for([
  ['another function', 'use(() => 1)', 'use'],
  ['a method', '({ a() {}, b: 1 })', '() {}'],
  ['a getter', '({ get a() { return 1 } })', '() {'],
  ['a method of a class', 'class A { a() {} static b() {} }', '() {}'],
  ['a shorthand property', 'const a = 1; use({ a })', 'a ='],
] as const)('%s stays as it is', ([, code, at]) => {
  expect(toEarlyCode(code, startsOf(code, at))).toBe(code)
})

test('declarations become variables at the top, after the directives', () => {
  const code = `'use strict';const one = a();function a() { return b() }async function b() {}function c() {}`
  expect(toEarlyCode(code, startsOf(code, 'function a', 'async function b'))).toBe(
    `'use strict';var a=(function () { return b() }),b=(async function () {});const one = a();;;function c() {}`,
  )
})

test('declarations in a function become variables of the function, and those in a block stay', () => {
  const code = `function outer() { return inner(); function inner() { { function block() {} } } }`
  expect(toEarlyCode(code, startsOf(code, 'function inner', 'function block'))).toBe(
    `function outer() { var inner=(function () { { function block() {} } });return inner(); ; }`,
  )
})

test('the code does the same', () => {
  const code = `
    exports.early = later(2);
    function later(n) { return n === 0 ? [] : [twice(n), ...later(n - 1)]; function twice(x) { return 2 * x } }
    exports.names = [later.name, (() => {}).name, { a: () => 1 }.a.name];
    let count = 0
    function replaced() { replaced = () => ++count; return replaced() }
    (0, replaced)(), exports.count = replaced();`
  const run = (text: string) => {
    const exports: Record<string, unknown> = {}
    runInNewContext(text, { exports })
    return JSON.stringify(exports)
  }
  const all = new Set(Array.from({ length: code.length }, (_, index) => index))
  expect(run(toEarlyCode(code, all))).toBe(run(code))
  expect(JSON.parse(run(code))).toMatchObject({ early: [4, 2], names: ['later', '', 'a'], count: 2 })
})
