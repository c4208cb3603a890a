import { expect, it } from 'vitest'
import { mergeEntry } from '../../../../../packages/workbench/src/servers/stored/server-draft.ts'

const stdio = { type: 'stdio', command: 'run', args: ['x'], env: { A: '1' }, timeout: '5s' }

it.each([
  ['nothing', {}, stdio],
  ['another value', { command: 'walk' }, { ...stdio, command: 'walk' }],
  ['a map as a whole', { env: { B: '2' } }, { ...stdio, env: { B: '2' } }],
  ['null takes away', { env: null, args: null }, { type: 'stdio', command: 'run', timeout: '5s' }],
  [
    'undefined says nothing that can be stored',
    { timeout: undefined },
    { type: 'stdio', command: 'run', args: ['x'], env: { A: '1' } },
  ],
  ['another type', { type: 'http', url: 'https://a' }, { type: 'http', url: 'https://a', timeout: '5s' }],
  [
    'what is asked for stays, right or wrong',
    { type: 'http', command: 'x' },
    { type: 'http', command: 'x', timeout: '5s' },
  ],
])('%s', (_, updates, merged) => {
  expect(mergeEntry(stdio, updates)).toEqual(merged)
})

it('a change between the two remote types keeps all fields', () => {
  const http = { type: 'http', url: 'https://a', headers: { A: 'b' }, auth: { type: 'none' } }
  expect(mergeEntry(http, { type: 'sse' })).toEqual({ ...http, type: 'sse' })
})
