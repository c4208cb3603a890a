import type { ServerView } from '@ostler/workbench'
import { describe, expect, it } from 'vitest'
import {
  toMcpServersEntry,
  withVariables,
} from '../../../../../packages/cli/src/commands/mcp/export-entry.ts'

describe('an exported entry', () => {
  it.each([
    ['a command alone', { type: 'stdio', command: 'x', env: {}, timeout: '5s' }, { command: 'x', args: [] }],
    [
      'a command with all there is',
      { type: 'stdio', command: 'x', args: ['y'], env: { A: '1' }, cwd: '/z', trusted: true },
      { command: 'x', args: ['y'], env: { A: '1' }, cwd: '/z' },
    ],
    [
      'dollar signs',
      { type: 'stdio', command: 'x', args: ['A:$${A}', '${B}', '$C'], env: { A: 'a$$$b' } },
      { command: 'x', args: ['A:${A}', '${B}', '$C'], env: { A: 'a$$b' } },
    ],
    [
      'an address alone',
      { type: 'http', url: 'https://h/', headers: {} },
      { type: 'http', url: 'https://h/' },
    ],
    [
      'a bearer token beside a header',
      { type: 'sse', url: 'https://h/', headers: { A: '1' }, auth: { type: 'bearer', token: 't' } },
      { type: 'sse', url: 'https://h/', headers: { A: '1', Authorization: 'Bearer t' } },
    ],
    [
      'a key',
      { type: 'http', url: 'https://h/', auth: { type: 'api-key', key: 'k' } },
      { type: 'http', url: 'https://h/', headers: { 'x-api-key': 'k' } },
    ],
    [
      'a key that is missing',
      { type: 'http', url: 'https://h/', auth: { type: 'api-key' } },
      { type: 'http', url: 'https://h/', headers: { 'x-api-key': '' } },
    ],
    [
      'a key in a header of its own',
      { type: 'http', url: 'https://h/', auth: { type: 'api-key', key: 'k', header: 'X-Own' } },
      { type: 'http', url: 'https://h/', headers: { 'X-Own': 'k' } },
    ],
    [
      'a password',
      { type: 'http', url: 'https://h/', auth: { type: 'basic', username: 'me', password: 'p' } },
      { type: 'http', url: 'https://h/', headers: { Authorization: 'Basic bWU6cA==' } },
    ],
    [
      'a password with a dollar sign',
      { type: 'http', url: 'https://h/', auth: { type: 'basic', username: 'u', password: 'pa$$word' } },
      { type: 'http', url: 'https://h/', headers: { Authorization: 'Basic dTpwYSR3b3Jk' } },
    ],
    [
      'a password that is a variable',
      { type: 'http', url: 'https://h/', auth: { type: 'basic', username: 'me', password: '${P}' } },
      { type: 'http', url: 'https://h/', headers: { Authorization: 'Basic ${P}' } },
    ],
  ])('%s', (_, entry, expected) => {
    expect(toMcpServersEntry(entry)).toEqual(expected)
  })
})

it('replaces secrets by variables, with different names if two servers use the same one', () => {
  const server = (name: string, entry: object) => ({ name, entry }) as unknown as ServerView
  const entries = withVariables([
    server('one', { env: { TOKEN: '${secret:env.TOKEN}', OWN: '${secret:env.OWN}' } }),
    server('two-b', {
      env: { TOKEN: '${secret:env.TOKEN}' },
      headers: { 'X-Key': '${secret:headers.X-Key}' },
    }),
    server('3', { auth: { token: '${secret:auth.token}' } }),
  ])
  expect(Object.fromEntries(entries)).toEqual({
    one: { env: { TOKEN: '${ONE_TOKEN}', OWN: '${OWN}' } },
    'two-b': { env: { TOKEN: '${TWO_B_TOKEN}' }, headers: { 'X-Key': '${TWO_B_X_KEY}' } },
    '3': { auth: { token: '${_3_TOKEN}' } },
  })
})
