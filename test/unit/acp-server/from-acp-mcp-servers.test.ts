import { expect, test } from 'vitest'
import { fromAcpMcpServers } from '../../../packages/acp-server/src/from-acp-mcp-servers.ts'

const stdio = { name: 's', command: '/bin/s', args: ['a'], env: [{ name: 'K', value: 'v' }] }
const http = {
  type: 'http',
  name: 'h',
  url: 'https://h.example/mcp',
  headers: [{ name: 'Authorization', value: 'Bearer x' }],
}

test.each<[string, unknown, unknown]>([
  [
    'stdio as ACP has it',
    stdio,
    { type: 'stdio', name: 's', command: '/bin/s', args: ['a'], env: { K: 'v' } },
  ],
  ['stdio that says so', { ...stdio, type: 'stdio' }, { type: 'stdio', env: { K: 'v' } }],
  ['a type that is null', { ...stdio, type: null }, { type: 'stdio' }],
  ['no args', { ...stdio, args: undefined }, { args: [] }],
  ['args null', { ...stdio, args: null }, { args: [] }],
  ['no env', { ...stdio, env: undefined }, { env: {} }],
  ['env as a map', { ...stdio, env: { A: '1', B: '' } }, { env: { A: '1', B: '' } }],
  ['env as an empty map, which Lua cannot tell from a list', { ...stdio, env: {} }, { env: {} }],
  ['a name with slashes and dots', { ...stdio, name: '../a/b' }, { name: '../a/b' }],
  ['a name of 200 characters', { ...stdio, name: 'n'.repeat(200) }, { name: 'n'.repeat(200) }],
  [
    'http as ACP has it',
    http,
    { type: 'http', name: 'h', url: 'https://h.example/mcp', headers: { Authorization: 'Bearer x' } },
  ],
  ['sse', { ...http, type: 'sse' }, { type: 'sse' }],
  ['no headers', { ...http, headers: undefined }, { headers: {} }],
  ['headers as a map', { ...http, headers: { 'X-Key': 'k' } }, { headers: { 'X-Key': 'k' } }],
  ['fields nobody knows', { ...stdio, timeout: 5, _meta: {} }, { type: 'stdio', command: '/bin/s' }],
])('accepts %s', (_, entry, expected) => {
  expect(fromAcpMcpServers([entry])).toMatchObject({ servers: [expected], rejected: [] })
})

test.each<[string, unknown, RegExp]>([
  ['null', null, /not an object/],
  ['a string', 'x', /not an object/],
  ['a list', [], /not an object/],
  ['no name', { ...stdio, name: undefined }, /"name" is missing/],
  ['an empty name', { ...stdio, name: '' }, /"name" is empty/],
  ['a blank name', { ...stdio, name: ' \t' }, /"name" is empty/],
  ['a name with NUL', { ...stdio, name: 'a\0b' }, /hidden characters/],
  ['a name with a direction mark', { ...stdio, name: 'a\u202eb' }, /hidden characters/],
  ['a name with a line break', { ...stdio, name: 'a\nb' }, /hidden characters/],
  ['a name that goes on and on', { ...stdio, name: 'n'.repeat(257) }, /longer than/],
  ['an unknown type', { ...stdio, type: 'websocket' }, /"type" must be/],
  [
    'a server of the editor, without the flag',
    { type: 'acp', name: 'x', serverId: '1' },
    /--experimental-mcp-over-acp/,
  ],
  ['a type that is no string', { ...stdio, type: 5 }, /"type" must be/],
  ['no command', { ...stdio, command: undefined }, /"command" is missing/],
  ['an empty command', { ...stdio, command: '' }, /"command" is empty/],
  ['NUL in the command', { ...stdio, command: 'a\0b' }, /NUL/],
  ['a URL without a type', { name: 'x', url: 'https://x.example' }, /no "type"/],
  ['args that are a string', { ...stdio, args: '--flag' }, /"args" is not a list/],
  ['args with a number', { ...stdio, args: ['a', 5] }, /at 2/],
  ['env that is a string', { ...stdio, env: 'A=1' }, /"env" is neither/],
  ['env with a number', { ...stdio, env: { A: 1 } }, /not a string/],
  ['env without a name', { ...stdio, env: [{ value: 'x' }] }, /without a name/],
  ['env with = in a name', { ...stdio, env: [{ name: 'A=B', value: 'x' }] }, /name is empty or contains "="/],
  ['env with NUL in a value', { ...stdio, env: [{ name: 'A', value: 'x\0' }] }, /NUL/],
  ['env with null in it', { ...stdio, env: [null] }, /without a name/],
  ['no URL', { ...http, url: undefined }, /"url" is missing/],
  ['a relative URL', { ...http, url: '/mcp' }, /not an absolute URL/],
  ['a file URL', { ...http, url: 'file:///etc/passwd' }, /neither http nor https/],
  [
    'CR LF in a header',
    { ...http, headers: [{ name: 'A', value: 'x\r\nB: y' }] },
    /header "A" has a value with a line break/,
  ],
  ['a line feed in a header', { ...http, headers: [{ name: 'A', value: 'x\n' }] }, /line break/],
  ['NUL in a header', { ...http, headers: [{ name: 'A', value: 'x\0' }] }, /another invalid character/],
  [
    'a header beyond Latin-1',
    { ...http, headers: [{ name: 'A', value: 'ключ' }] },
    /another invalid character/,
  ],
  [
    'a line break in the name of a header',
    { ...http, headers: [{ name: 'A\r\nB', value: 'x' }] },
    /invalid name/,
  ],
  ['an empty name of a header', { ...http, headers: [{ name: '', value: 'x' }] }, /invalid name/],
])('rejects %s with a reason', (_, entry, reason) => {
  const { servers, rejected } = fromAcpMcpServers([entry])
  expect(servers).toEqual([])
  expect(rejected).toEqual([{ server: expect.any(String), reason: expect.stringMatching(reason) }])
})

test('an invalid entry does not affect the others, and the first of a name wins', () => {
  const { servers, rejected } = fromAcpMcpServers([stdio, null, { ...stdio, command: '/bin/other' }, http])
  expect(servers.map(({ name }) => name)).toEqual(['s', 'h'])
  expect(servers[0]).toMatchObject({ command: '/bin/s' })
  expect(rejected.map(({ server }) => server)).toEqual(['#2', 's (#3)'])
})

test('a missing list means no servers; anything else in its place is refused', () => {
  for (const raw of [undefined, null])
    expect(fromAcpMcpServers(raw)).toEqual({ servers: [], rejected: [], repaired: [] })
  for (const raw of [{}, 'x', 5, { files: stdio }])
    expect(() => fromAcpMcpServers(raw)).toThrow(/mcpServers must be an array/)
})

test.each<[string, unknown, string[]]>([
  ['stdio as ACP has it', stdio, []],
  ['http as ACP has it', http, []],
  [
    'neither args nor env',
    { name: 's', command: 'x' },
    ['its "args" is missing and was treated as empty', 'its "env" is missing and was treated as empty'],
  ],
  [
    'env as a map',
    { ...stdio, env: { A: '1' } },
    ['its "env" is a map and was treated as a list of names and values'],
  ],
  [
    'headers as a map',
    { ...http, headers: { A: '1' } },
    ['its "headers" is a map and was treated as a list of names and values'],
  ],
  ['no headers', { ...http, headers: null }, ['its "headers" is missing and was treated as empty']],
])('reports how it corrected %s', (_, entry, repairs) => {
  const { servers, repaired } = fromAcpMcpServers([entry])
  expect(repaired).toEqual(repairs.map((repair) => ({ server: servers[0]?.name, repair })))
})

test('__proto__ is a name like any other', () => {
  const { servers } = fromAcpMcpServers([{ ...stdio, env: [{ name: '__proto__', value: 'x' }] }])
  expect(Object.entries(servers[0]?.type === 'stdio' ? servers[0].env : {})).toEqual([['__proto__', 'x']])
  expect(fromAcpMcpServers([{ ...stdio, name: '__proto__' }]).servers).toHaveLength(1)
})

test('a reason never contains a value', () => {
  const canary = 'canary-90b1f3'
  const entries = [
    { ...stdio, env: [{ name: 'A', value: `${canary}\0` }] },
    { ...http, headers: [{ name: 'A', value: `${canary}\n` }] },
    { ...http, url: canary },
    { ...stdio, type: canary },
    { ...stdio, args: [{ canary }] },
    { ...stdio, command: `${canary}\0` },
  ]
  expect(JSON.stringify(fromAcpMcpServers(entries))).not.toContain(canary)
})

const ofEditor = { type: 'acp', name: 'x', serverId: '1' }

test('a server of the editor is used if it may be', () => {
  const { servers, rejected, repaired } = fromAcpMcpServers([ofEditor], 'zed')
  expect(servers).toEqual([{ ...ofEditor, editor: 'zed' }])
  expect([...rejected, ...repaired]).toEqual([])
})

test.each<[string, readonly unknown[], RegExp]>([
  ['no id', [{ ...ofEditor, serverId: undefined }], /"serverId" is missing/],
  ['an empty id', [{ ...ofEditor, serverId: '' }], /"serverId" is missing/],
  [
    'an id with a line break',
    [{ ...ofEditor, serverId: 'a\nb' }],
    /"serverId" contains a line break or hidden characters/,
  ],
  ['an id that goes on and on', [{ ...ofEditor, serverId: 'i'.repeat(257) }], /"serverId" is longer than/],
  ['two servers with one id', [ofEditor, { ...ofEditor, name: 'y' }], /same "serverId"/],
])('rejects %s', (_, entries, reason) => {
  expect(fromAcpMcpServers(entries, 'zed').rejected.map((each) => each.reason)).toEqual([
    expect.stringMatching(reason),
  ])
})

test('more servers than a session may have are left out, in one line', () => {
  let looks = 0
  const entries = Array.from({ length: 10_000 }, (_, index) => ({ ...stdio, name: `s${index}` }))
  const counted = new Proxy(entries, {
    get(target, key) {
      looks += Number(typeof key === 'string' && /^\d+$/.test(key))
      return Reflect.get(target, key)
    },
  })
  const { servers, rejected } = fromAcpMcpServers(counted)
  expect(servers).toHaveLength(200)
  expect(rejected).toEqual([
    {
      server: '#201 to #10000',
      reason: 'a session has at most 200 MCP servers; remove some of the 10000 in your editor',
    },
  ])
  expect(looks).toBe(200)
})
