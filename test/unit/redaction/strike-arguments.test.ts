import { describe, expect, it } from 'vitest'
import {
  passwordsIn,
  strikeArguments,
  strikeCalls,
  strikeInput,
} from '../../../packages/agent-api/src/redaction/strike-arguments.ts'

const mark = '[redacted]'
const none: ReadonlySet<string> = new Set()

describe('strikeArguments', () => {
  it.each<[string, unknown, unknown]>([
    ['a password', { user: 'ada', password: 'hunter2' }, { user: 'ada', password: mark }],
    [
      'a token',
      { token: 'abc', apiKey: 'def', client_secret: 'ghi' },
      { token: mark, apiKey: mark, client_secret: mark },
    ],
    ['a number', { pin: 1234 }, { pin: mark }],
    ['a list', { tokens: ['a', 'b'], passwords: [1] }, { tokens: [mark, mark], passwords: [mark] }],
    [
      'all of an object',
      { credentials: { user: 'ada', code: 7 } },
      { credentials: { user: mark, code: mark } },
    ],
    [
      'headers',
      { headers: { Authorization: 'Bearer x', Accept: '*/*' } },
      { headers: { Authorization: mark, Accept: '*/*' } },
    ],
    [
      'named pairs',
      { env: [{ name: 'API_TOKEN', value: 'x' }] },
      { env: [{ name: 'API_TOKEN', value: mark }] },
    ],
    [
      'what the schema marks',
      { answer: 'x', inner: { answer: 'y' } },
      { answer: mark, inner: { answer: mark } },
    ],
    [
      'an authorization',
      { auth: 'Ab3-x9', how: { auth: { type: 'basic', password: 'x' } } },
      { auth: mark, how: { auth: { type: 'basic', password: mark } } },
    ],
  ])('redacts %s', (_, args, expected) => {
    expect(strikeArguments(args, new Set(['answer']))).toEqual(expected)
  })

  it.each<[string, object]>([
    ['budgets of tokens', { max_tokens: 5, maxOutputTokens: 5, tokens: 100, token_count: 7 }],
    [
      'what only has to do with tokens',
      { tokenizer: 'bpe', token_type: 'word', stopToken: 'x', tokenId: '7' },
    ],
    ['pages', { pageToken: 'x', next_token: 'y', continuationToken: 'z' }],
    [
      'keys of tables and issues',
      { key: 'user:1', keys: ['a'], sortKey: 'b', issueKey: 'ABC-1', keyValue: 'c', public_key: 'd' },
    ],
    ['paths and names of secrets', { passwordFile: '/x', secretName: 'db', keyPath: '/y' }],
    ['flags', { password: true, token: null, secret: '' }],
    ['a way to sign in', { auth: 'github' }],
  ])('leaves %s', (_, args) => {
    expect(strikeArguments(args, none)).toEqual(args)
  })

  it('stops at endless nesting', () => {
    let deep: unknown = { password: 'x' }
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(JSON.stringify(strikeArguments(deep, none))).not.toContain('x')
  })
})

describe('strikeInput', () => {
  it.each([
    ['what needs nothing', '{ "a":  1 }', '{ "a":  1 }'],
    ['JSON', '{"password": "hunter2"}', '{"password":"[redacted]"}'],
    ['JSON that breaks off', '{"a": 1, "password": "hunter2", "b', '{"a": 1, "password": "[redacted]", "b'],
    [
      'what is nested too deep to be looked at',
      `${'['.repeat(250)}"x"${']'.repeat(250)}`,
      `${'['.repeat(200)}"[too deep]"${']'.repeat(200)}`,
    ],
    ['no JSON', 'password=hunter2 path=/x', 'password=[redacted] path=/x'],
    ['much that is no JSON', 'a='.repeat(50_000), '[left out: 100000 characters that are not JSON]'],
  ])('%s', (_, input, expected) => {
    expect(strikeInput(input, none)).toBe(expected)
  })
})

it('strikeCalls redacts the arguments of an assistant, and nothing else', () => {
  const call = { type: 'tool_call', id: 'c', wireName: 't', input: '{"password":"hunter2"}' } as const
  const text = { type: 'text', text: '{"password":"hunter2"}' } as const
  expect(strikeCalls({ role: 'assistant', id: 'm', parts: [text, call] }, none)).toEqual({
    role: 'assistant',
    id: 'm',
    parts: [text, { ...call, input: '{"password":"[redacted]"}' }],
  })
})

describe('passwordsIn', () => {
  it('finds them anywhere in a schema', () => {
    const schema = {
      type: 'object',
      properties: {
        first: { type: 'string', format: 'password' },
        second: { anyOf: [{ type: 'null' }, { type: 'string', format: 'password' }] },
        third: { $ref: '#/$defs/hidden' },
        fourth: { type: 'array', items: { $ref: '#/$defs/again' } },
        fifth: { type: 'object', properties: { inner: { format: 'password' }, format: { type: 'string' } } },
        sixth: { type: 'string', format: 'date' },
        properties: { type: 'object', properties: { last: { format: 'password' } } },
      },
      $defs: { hidden: { type: 'string', format: 'password' }, again: { $ref: '#/$defs/hidden' } },
    }
    expect([...passwordsIn(schema)].toSorted()).toEqual(
      ['again', 'first', 'fourth', 'hidden', 'inner', 'last', 'second', 'third'].filter(
        (name) => name !== 'fifth',
      ),
    )
  })
})
