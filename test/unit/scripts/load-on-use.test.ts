import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { toLazyCode } from '../../../packages/cli/load-on-use.ts'

/** Runs the code with modules that record that they were loaded. Returns what it exports, and what it has loaded when. */
function run(code: string) {
  const loaded: string[] = []
  const modules: Record<string, unknown> = {
    'node:fs': { read: (path: string) => `read ${path}`, File: Date },
    './zod.js': { string: () => ({ parse: (text: string) => text }), object: (shape: object) => ({ shape }) },
    './other.js': { value: 1 },
  }
  const require = (id: string) => {
    loaded.push(id)
    return modules[id]
  }
  const exports: Record<string, (given?: unknown) => unknown> = {}
  const toESM = (module: object) => ({ ...module, default: module })
  runInNewContext(
    toLazyCode(code, (id) => id.startsWith('node:') || id === './zod.js'),
    { require, exports, toESM },
  )
  return { call: (name: string, given?: unknown) => exports[name]?.(given), loaded }
}

test('a module is loaded when something of it is used, and once', () => {
  const { call, loaded } = run(`
    let node_fs = require("node:fs");
    exports.read = (path) => (0, node_fs.read)(path);`)
  expect(loaded).toEqual([])
  expect([call('read', 'a'), call('read', 'b')]).toEqual(['read a', 'read b'])
  expect(loaded).toEqual(['node:fs'])
})

test('other chunks are loaded at once', () => {
  expect(run(`const other = require("./other.js"); exports.value = () => other.value;`).loaded).toEqual([
    './other.js',
  ])
})

test('the default of a module is the module itself', () => {
  const { call, loaded } = run(`
    let node_fs = require("node:fs");
    node_fs = toESM(node_fs, 1);
    exports.read = (path) => node_fs.default.read(path) + node_fs.read(path);
    exports.File = () => new node_fs.File();`)
  expect(loaded).toEqual([])
  expect(call('read', 'a')).toBe('read aread a')
  expect(call('File')).toBeInstanceOf(Date)
})

test('a constant is made on first use, with all that it needs, if it needs such a chunk', () => {
  const { call, loaded } = run(`
    const zod = require("./zod.js");
    const one = 1;
    const text = zod.string();
    const fields = { text, other: one };
    const other = () => { let row = 1; row++; return row };
    const row = zod.object(fields);
    exports.row = () => row;
    exports.parse = (value) => text.parse(value);
    exports.names = () => Object.keys({ ...fields });`)
  expect(loaded).toEqual([])
  expect((call('row') as { shape: object }).shape).toBe((call('row') as { shape: object }).shape)
  expect(call('names')).toEqual(['text', 'other'])
  expect(call('parse', 'x')).toBe('x')
  expect(loaded).toEqual(['./zod.js'])
})

test('what only needs a chunk later is made at once', () => {
  const { call } = run(`
    const zod = require("./zod.js");
    let made = 0;
    const parsers = [made++, (value) => zod.string().parse(value)];
    exports.made = () => made;
    exports.parse = (value) => parsers[1](value);`)
  expect(call('made')).toBe(1)
  expect(call('parse', 'x')).toBe('x')
})

test.each([
  ['is set', '(value) => (last = value)'],
  ['is set by a pattern', '(value) => ([last] = [value])'],
  ['counts', '() => last++'],
  ['is set by a loop', '(value) => { for (last of [value]); }'],
  ['is set to each name by a loop', '(value) => { for (last in value); }'],
])('a variable that %s is made at once', (_, set) => {
  const { loaded } = run(`
    const zod = require("./zod.js");
    let last = zod.string();
    exports.set = ${set};`)
  expect(loaded).toEqual(['./zod.js'])
})

test('a computed name uses its constant', () => {
  const { call } = run(`
    const zod = require("./zod.js");
    const key = zod.string().parse("x");
    exports.made = () => ({ [key]: 1 });
    exports.found = (given) => given[key];`)
  expect(call('made')).toEqual({ x: 1 })
  expect(call('found', { x: 2 })).toBe(2)
})

test('constants of one statement are made at once', () => {
  const { call, loaded } = run(`
    const zod = require("./zod.js");
    const text = zod.string(), one = 1;
    exports.parse = (value) => text.parse(value + one);`)
  expect(loaded).toEqual(['./zod.js'])
  expect(call('parse', 'x')).toBe('x1')
})

test('a variable that never changes is a constant', () => {
  const { call, loaded } = run(`
    const zod = require("./zod.js");
    var text = zod.string();
    exports.parse = (value) => text.parse(value);`)
  expect(loaded).toEqual([])
  expect(call('parse', 'x')).toBe('x')
})

test.each([
  ['a parameter', `(row) => row`],
  ['a parameter in a pattern', `({ row }) => row`, { row: 'own' }],
  ['a parameter in a renaming pattern with a default', `({ x: [row = 1] }) => row`, { x: ['own'] }],
  ['a rest parameter', `(...row) => row[0]`],
  ['a variable of a function', `(own) => { if (true) { var row = own } return row }`],
  ['a variable of a block', `(own) => { { const row = own; return row } }`],
  ['a function of a block', `(own) => { function row() { return own } return row() }`],
  ['a class of a block', `(own) => { class row { static value = own } return row.value }`],
  ['a variable of a loop', `(own) => { for (const row of [own]) return row }`],
  ['a counter of a loop', `(own) => { for (let row = own; ; ) return row }`],
  ['a caught error', `(own) => { try { throw own } catch (row) { return row } }`],
  ['a case of a switch', `(own) => { switch (1) { case 1: const row = own; return row } }`],
  ['the name of a function', `(own) => (function row(value) { return value ?? typeof row })(own)`],
  ['the name of a class', `(own) => (class row { static value = [own, row][0] }).value`],
  ['a property', `(own) => ({ row: own }).row`],
  ['a label', `(own) => { row: for (;;) break row; return own }`],
])('%s of the same name is another thing', (_, use, given: unknown = 'own') => {
  const { call, loaded } = run(`
    const zod = require("./zod.js");
    const row = zod.string();
    exports.use = ${use};`)
  expect(call('use', given)).toBe('own')
  expect(loaded).toEqual([])
})
