import {
  fillInputs,
  knownServerLists,
  listedPrograms,
  parseServerList,
  type FoundServer,
} from '@ostler/workbench'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandVariables } from '../../../../../packages/agent-api/src/config/expand-variables.ts'

const one = (value: unknown, options = {}) => {
  const list = parseServerList(JSON.stringify(value), options)
  return list.servers[0] ?? list.skipped[0]
}
const mcp = (server: unknown) => one({ mcpServers: { one: server } })
const stdio = (over: object) => ({ type: 'stdio', command: 'c', args: [], env: {}, ...over })

test.each([
  ['plain', { command: 'c' }, stdio({})],
  [
    'scalars as texts',
    { command: 'c', args: [1, true], env: { A: 2, B: null } },
    stdio({ args: ['1', 'true'], env: { A: '2' } }),
  ],
  ['a directory', { command: 'c', cwd: '/x' }, stdio({ cwd: '/x' })],
  ['disabled', { command: 'c', disabled: true }, stdio({ enabled: false })],
  [
    'variables',
    { command: 'c', args: ['${A}', '${B:-x}', '$C', '$$'] },
    stdio({ args: ['${A}', '${B:-x}', '$C', '$$$'] }),
  ],
  [
    'its own variables in its arguments, which it expands itself',
    { command: 'c', args: ['A:${A}', '${B}', '${C}', '$${A}'], env: { A: 'x', B: '${B}' } },
    stdio({ args: ['A:$${A}', '${B}', '${C}', '$$$${A}'], env: { A: 'x', B: '${B}' } }),
  ],
  [
    'as Cursor names them',
    { command: 'c', args: ['${env:A}', '${userHome}'] },
    stdio({ args: ['${A}', '${HOME}'] }),
  ],
  [
    'http',
    { type: 'http', url: 'https://a.example/mcp' },
    { type: 'http', url: 'https://a.example/mcp', headers: {} },
  ],
  ['no type', { url: 'https://a.example/mcp' }, { type: 'http', url: 'https://a.example/mcp', headers: {} }],
  [
    'no type, but a telling path',
    { url: 'https://a.example/sse' },
    { type: 'sse', url: 'https://a.example/sse', headers: {} },
  ],
  [
    'other names',
    { type: 'streamable-http', httpUrl: 'https://a.example' },
    { type: 'http', url: 'https://a.example', headers: {} },
  ],
  [
    'on this machine',
    { url: 'http://127.0.0.1:1/mcp' },
    { type: 'http', url: 'http://127.0.0.1:1/mcp', headers: {} },
  ],
  [
    'an export of Ostler',
    {
      type: 'http',
      url: 'https://a.example',
      mode: 'strict',
      auth: { type: 'bearer', token: '${T}' },
      timeout: '10s',
    },
    {
      type: 'http',
      url: 'https://a.example',
      headers: {},
      mode: 'strict',
      auth: { type: 'bearer', token: '${T}' },
      timeout: '10s',
    },
  ],
])('mcpServers: %s', (_name, server, entry) => {
  expect(mcp(server)).toMatchObject({ name: 'one', entry })
  expect((mcp(server) as FoundServer).entry).toEqual(entry)
})

test('VS Code has no references to plain names, so they are text', () => {
  const { servers } = parseServerList(JSON.stringify({ servers: { one: { command: 'c', args: ['${A}'] } } }))
  expect(servers[0]).toMatchObject({
    entry: { args: ['$${A}'] },
    notes: ['${A} is not known to Ostler and stays as it is'],
  })
})

test('a command counts, not the url beside it, and a note says so', () => {
  expect(mcp({ command: 'c', url: 'https://a.example' })).toMatchObject({
    entry: { type: 'stdio', command: 'c' },
    notes: ['its url is not imported, because it has a command'],
  })
})

test('a field with null is a field that is not there', () => {
  const entry = { url: 'https://a.example', command: null, args: null, type: null, headers: null }
  expect(mcp(entry)).toMatchObject({
    entry: { type: 'http', url: 'https://a.example', headers: {} },
    notes: [],
  })
  expect(mcp({ command: 'c', url: null, env: null })).toMatchObject({ entry: { type: 'stdio' }, notes: [] })
})

test.each([
  ['no object', 'text', 'it is not an object'],
  ['nothing', {}, 'it has neither a command nor a URL'],
  ['an invalid command', { command: 7 }, 'it has neither a command nor a URL'],
  ['args', { command: 'c', args: 'a b' }, 'its args are not a list of strings'],
  ['nested args', { command: 'c', args: [['a']] }, 'its args are not a list of strings'],
  ['env', { command: 'c', env: ['A=1'] }, 'its env is not an object of strings'],
  ['headers', { url: 'https://a.example', headers: { A: {} } }, 'its headers are not an object of strings'],
  ['a socket', { url: 'unix:///run/a' }, 'it has no http or https URL'],
  ['plain http abroad', { url: 'http://a.example' }, 'plain http to another machine'],
  ['an unknown transport', { type: 'ws', url: 'wss://a.example' }, 'its transport "ws"'],
  [
    'an unknown transport by another name',
    { transport: 'ws', url: 'https://a.example' },
    'its transport "ws"',
  ],
  ['an unknown transport of a command', { transportType: 'pipe', command: 'c' }, 'its transport "pipe"'],
  ['what Ostler marks secrets with', { command: '${secret:x}' }, '${secret:'],
])('mcpServers, skipped: %s', (_name, server, reason) => {
  expect(mcp(server)).toEqual({ name: 'one', reason: expect.stringContaining(reason) })
})

test('a list that leaves out tools is not imported, and a note says so', () => {
  const notesOf = (more: object) => (mcp({ command: 'c', ...more }) as FoundServer).notes
  expect(notesOf({ disabledTools: ['a'], includeTools: ['b'] })).toEqual([
    'the list disabledTools is not imported: write its names in toolDenylist',
    'the list includeTools is not imported: write its names in toolAllowlist',
  ])
  expect(notesOf({ tools: ['*'], disabledTools: [], available_tools: [] })).toEqual([])
})

test('the lists that leave out tools are imported from any entry', () => {
  const lists = { toolAllowlist: ['get_*'], toolDenylist: ['drop'] }
  expect((mcp({ command: 'c', ...lists }) as FoundServer).entry).toEqual(stdio(lists))
})

test('settings that would let tools run without a question are not imported', () => {
  const server = mcp({
    command: 'c',
    mode: 'dynamic',
    trusted: true,
    defaultToolConfig: { approval: 'allow' },
  }) as FoundServer
  expect(server.entry).toEqual(stdio({ mode: 'dynamic' }))
  expect(server.notes).toEqual([
    'the field trusted is not imported',
    'the field defaultToolConfig is not imported',
  ])
})

test('secrets are recognized, and redacted when shown', () => {
  const server = mcp({
    command: 'c',
    args: ['--key', 'argument-value'],
    env: { API_TOKEN: 'variable-value', REGION: 'west' },
  }) as FoundServer
  expect(server).toMatchObject({ secrets: ['args.1', 'env.API_TOKEN'], origin: "c --key '[redacted]'" })
  const web = mcp({ url: 'https://me:my-password@a.example/mcp?key=query-value&page=1' }) as FoundServer
  expect(web.origin).toBe('https://me:[redacted]@a.example/mcp?key=[redacted]&page=1')
})

test('Zed: both forms, URLs, extensions; every character unchanged', () => {
  const text = `{
	// Zed's own settings
	"theme": "One Dark, // not a comment",
	"context_servers": {
		"new": { "source": "custom", "command": "c", "args": ["\${A}", "a,]"], "env": { "A": "$$" }, },
		"old": { "command": { "path": "c", "args": ["x"], "env": {} }, "settings": {} },
		"off": { "source": "custom", "enabled": false, "command": "c", "args": [] },
		"web": { "url": "https://a.example/mcp", "headers": { "X": "1" } }, /* and */
		"ext": { "source": "extension", "settings": { "key": "v" } },
		"old-ext": { "settings": {} },
	},
}`
  const { format, servers, skipped } = parseServerList(text)
  expect(format).toBe('zed')
  expect(Object.fromEntries(servers.map(({ name, entry }) => [name, entry]))).toEqual({
    new: stdio({ args: ['$${A}', 'a,]'], env: { A: '$$$' } }),
    old: stdio({ args: ['x'] }),
    off: stdio({ enabled: false }),
    web: { type: 'http', url: 'https://a.example/mcp', headers: { X: '1' } },
  })
  expect(skipped).toEqual(
    ['ext', 'old-ext'].map((name) => ({
      name,
      reason: 'it belongs to an extension, and only the extension knows its command',
    })),
  )
})

test('VS Code: inputs, its own variables, an env file; in a separate file and in the settings', () => {
  const inputs = [
    { type: 'promptString', id: 'key', description: 'The key', password: true },
    { type: 'promptString', id: 'region', description: 'The region', default: 'west' },
    { type: 'promptString', id: 'unused' },
  ]
  const server = {
    type: 'stdio',
    command: '${workspaceFolder}/run',
    args: ['${input:region}', '${file}'],
    env: { PLAIN: '${input:key}', HOME_DIR: '${env:HOME}' },
    envFile: '${workspaceFolder}/.env',
    cwd: '${workspaceFolder}',
  }
  const list = parseServerList(JSON.stringify({ inputs, servers: { one: server } }), {
    workspaceFolder: '/w/pro$$ject',
  })
  expect(list).toMatchObject({
    format: 'vscode',
    inputs: [
      { id: 'key', isSecret: true },
      { id: 'region', isSecret: false, default: 'west' },
    ],
  })
  expect(list.servers[0]).toMatchObject({
    entry: stdio({
      command: '/w/pro$$$ject/run',
      args: ['${input:region}', '$${file}'],
      env: { PLAIN: '${input:key}', HOME_DIR: '${HOME}' },
      cwd: '/w/pro$$$ject',
    }),
    secret: { env: ['PLAIN'] },
    secrets: ['env.PLAIN'],
    inputs: ['region', 'key'],
    variables: ['HOME'],
    notes: [
      'the variables in its file ${workspaceFolder}/.env are not imported',
      '${file} is not known to Ostler and stays as it is',
    ],
  })
  const nested = parseServerList(JSON.stringify({ mcp: { inputs, servers: { one: server } } }))
  expect(nested).toMatchObject({ format: 'vscode', inputs: [{ id: 'key' }, { id: 'region' }] })
  expect(nested.servers[0]?.entry).toMatchObject({ command: './run' })
  expect(nested.servers[0]?.entry).not.toHaveProperty('cwd')
  expect(nested.servers[0]?.notes).toContain(
    '${workspaceFolder} was replaced with “.”, the working directory',
  )
})

test('inputs are filled in literally; without a value their variable or server is left out', () => {
  const server = one({
    servers: { one: { command: 'c', args: ['${input:a}'], env: { B: 'x ${input:b}' } } },
  }) as FoundServer
  const filled = fillInputs(server, { a: 'a "quoted" $${X}', b: '1' })
  expect(filled).toMatchObject({
    entry: stdio({ args: ['a "quoted" $$$${X}'], env: { B: 'x 1' } }),
    inputs: [],
  })
  expect(fillInputs(server, { a: '1' })).toMatchObject({
    entry: stdio({ args: ['1'] }),
    notes: ['env.B is skipped: it has no value'],
  })
  expect(fillInputs(server, { b: '1' })).toEqual({ name: 'one', reason: 'it requires a value for a' })
  expect(fillInputs(mcp({ command: 'c' }) as FoundServer, {})).toMatchObject({ entry: stdio({}) })
})

test('snippets copied from a page may lack their surroundings', () => {
  expect(one({ one: { command: 'c' } })).toMatchObject({ name: 'one', entry: stdio({}) })
})

test('projects with their own servers are mentioned', () => {
  const { notes } = parseServerList(
    JSON.stringify({
      mcpServers: {},
      projects: { '/a': { mcpServers: { x: {} } }, '/b': { mcpServers: {} } },
    }),
  )
  expect(notes).toEqual(['1 of its projects have servers of their own, which are not imported'])
})

test('invalid names are skipped', () => {
  for (const name of ['', ' a', 'a\nb', 'x'.repeat(101)])
    expect(one({ mcpServers: { [name]: { command: 'c' } } })).toHaveProperty('reason')
  expect(parseServerList('{ "mcpServers": { "__proto__": { "command": "c" } } }').servers).toMatchObject([
    { name: '__proto__' },
  ])
})

test('other text is rejected without quoting it', () => {
  expect(() => parseServerList('{\n  "a": "secret-value" "b" }')).toThrow(
    'It is not JSON: line 2, column 23.',
  )
  expect(() => parseServerList('7')).toThrow('not an object')
  expect(() => parseServerList('{}', { format: 'zed' })).toThrow('it has no "context_servers"')
  expect(() => parseServerList('{ "a": 1 }')).toThrow('"mcpServers", "servers" or "context_servers"')
})

test("any text of Zed's settings reaches the server unchanged", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('$', '{', '}', 'A', ':-', 'x')).map((parts) => parts.join('')),
      (text) => {
        const server = one({ context_servers: { one: { command: 'c', args: [text] } } }) as FoundServer
        expect(expandVariables((server.entry['args'] as string[])[0]!, { A: 'expanded' })).toEqual({
          text,
          unset: [],
        })
      },
    ),
  )
})

test('the settings files of programs, on every platform', () => {
  const at = (platform: NodeJS.Platform, env = {}) =>
    listedPrograms.map((program) => knownServerLists(program, { platform, home: '/h', env })[0])
  expect(at('linux')).toEqual([
    '/h/.config/zed/settings.json',
    '/h/.config/Claude/claude_desktop_config.json',
    '/h/.claude.json',
    '/h/.cursor/mcp.json',
    '/h/.config/Code/User/mcp.json',
    '/h/.codex/config.toml',
    '/h/.gemini/settings.json',
    '/h/.config/opencode/opencode.json',
    '/h/.config/goose/config.yaml',
  ])
  expect(at('linux', { XDG_CONFIG_HOME: '/c' })[0]).toBe('/c/zed/settings.json')
  expect(at('darwin')).toEqual([
    '/h/.config/zed/settings.json',
    '/h/Library/Application Support/Claude/claude_desktop_config.json',
    '/h/.claude.json',
    '/h/.cursor/mcp.json',
    '/h/Library/Application Support/Code/User/mcp.json',
    '/h/.codex/config.toml',
    '/h/.gemini/settings.json',
    '/h/.config/opencode/opencode.json',
    '/h/.config/goose/config.yaml',
  ])
  expect(at('win32', { APPDATA: '/r' })).toEqual([
    '/r/Zed/settings.json',
    '/r/Claude/claude_desktop_config.json',
    '/h/.claude.json',
    '/h/.cursor/mcp.json',
    '/r/Code/User/mcp.json',
    '/h/.codex/config.toml',
    '/h/.gemini/settings.json',
    '/h/.config/opencode/opencode.json',
    '/r/Block/goose/config/config.yaml',
  ])
})

test('settings of Codex', () => {
  const { servers, skipped } = parseServerList(
    `model = "gpt-5"
[mcp_servers.files]
command = "npx"
args = ["-y", "files", "$HOME", "\${X}"]
env = { TOKEN = "t" }
startup_timeout_sec = 20
[mcp_servers.off]
command = "off"
enabled = false
[mcp_servers.far]
url = "https://far.example/mcp"
bearer_token_env_var = "FAR_TOKEN"
http_headers = { "X-Team" = "a" }
env_http_headers = { "X-Key" = "FAR_KEY" }
[mcp_servers.odd]
transport = "pipe"
`,
    { format: 'codex' },
  )
  expect(Object.fromEntries(servers.map(({ name, entry }) => [name, entry]))).toEqual({
    files: stdio({ command: 'npx', args: ['-y', 'files', '$HOME', '$${X}'], env: { TOKEN: 't' } }),
    off: stdio({ command: 'off', enabled: false }),
    far: {
      type: 'http',
      url: 'https://far.example/mcp',
      headers: { 'X-Team': 'a', 'X-Key': '${FAR_KEY}', Authorization: 'Bearer ${FAR_TOKEN}' },
    },
  })
  expect(servers.find(({ name }) => name === 'far')?.variables).toEqual(['FAR_KEY', 'FAR_TOKEN'])
  expect(skipped).toEqual([{ name: 'odd', reason: 'its transport "pipe" is not supported' }])
})

test('settings of opencode', () => {
  const data = {
    $schema: 'https://opencode.ai/config.json',
    mcp: {
      near: {
        type: 'local',
        command: ['npx', '-y', 'near'],
        environment: { KEY: '{env:NEAR_KEY}' },
        enabled: false,
      },
      far: { type: 'remote', url: 'https://far.example/mcp', headers: { Authorization: 'Bearer {env:FAR}' } },
    },
  }
  const { format, servers } = parseServerList(JSON.stringify(data))
  expect(format).toBe('opencode')
  expect(servers.map(({ entry }) => entry)).toEqual([
    stdio({ command: 'npx', args: ['-y', 'near'], env: { KEY: '${NEAR_KEY}' }, enabled: false }),
    { type: 'http', url: 'https://far.example/mcp', headers: { Authorization: 'Bearer ${FAR}' } },
  ])
})

test('settings of goose', () => {
  const { servers, skipped } = parseServerList(
    `GOOSE_PROVIDER: openai
extensions:
  developer: { type: builtin, enabled: true, name: developer }
  github: { type: stdio, cmd: npx, args: [-y, github], envs: { A: b }, env_keys: [GITHUB_TOKEN], enabled: true, timeout: 300 }
  far: { type: streamable_http, uri: 'https://far.example/mcp', enabled: false }
`,
    { format: 'goose' },
  )
  expect(servers.map(({ entry }) => entry)).toEqual([
    stdio({ command: 'npx', args: ['-y', 'github'], env: { GITHUB_TOKEN: '${GITHUB_TOKEN}', A: 'b' } }),
    { type: 'http', url: 'https://far.example/mcp', headers: {}, enabled: false },
  ])
  expect(skipped).toEqual([{ name: 'developer', reason: 'its transport "builtin" is not supported' }])
})

test.each([
  ['codex', 'a = [1', /^It is not TOML: line 1, column \d+\.$/],
  ['goose', 'a: [1', /^It is not YAML: line 1\.$/],
  ['codex', 'model = "x"', /it has no \[mcp_servers\]/],
  ['goose', 'x: 1', /it has no extensions/],
] as const)('settings of %s that are broken or have no servers: %s', (format, text, message) => {
  expect(() => parseServerList(text, { format })).toThrow(message)
})
