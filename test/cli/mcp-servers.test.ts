import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMcpLab, serverCommand } from './mcp-lab.ts'
import { hasTerminal, runOnTerminal } from './run-on-terminal.ts'
import { runCli } from '../support/run-cli.ts'

test('without servers the list is empty, and reading creates nothing', async () => {
  await using lab = await openMcpLab()
  expect(await lab.run(['list'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No servers. Use'),
    stderr: '',
  })
  expect(await lab.json(['list'])).toEqual({ servers: [] })
  expect(existsSync(lab.stateDir)).toBe(false)
})

test('a server is shown in full without its secrets', async () => {
  await using lab = await openMcpLab()
  const entry = {
    command: 'node',
    args: ['a b'],
    env: { API_TOKEN: 'token-value-1', PLAIN: '1' },
    description: 'For notes',
    mode: 'dynamic',
  }
  const input = JSON.stringify({ notes: { ...entry, rateLimit: { calls: 3, per: '1m' } } })
  expect(await lab.run(['import', '-', '--yes'], { input })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('env.API_TOKEN'),
  })
  const { code, stdout } = await lab.run(['get', 'notes'])
  expect(code).toBe(0)
  for (const line of [
    /^notes\nFor notes\n/,
    /^From: +stored$/m,
    /^Runs: +node .*a b/m,
    /^Variables: +API_TOKEN, PLAIN$/m,
    /^Secrets: +env\.API_TOKEN$/m,
    /^rateLimit: +\{"calls":3,"per":.+\}$/m,
  ])
    expect(stdout).toMatch(line)
  expect(stdout).not.toContain('token-value-1')
  expect(await lab.json(['get', 'notes'])).toEqual((await lab.list())[0])
  expect(await lab.run(['get', 'nobody'])).toMatchObject({
    code: 1,
    stderr: "ostler: There is no server named 'nobody'.\n",
  })
  await lab.run(['add', 'web', 'https://web.example/mcp'])
  expect(await lab.json(['get', 'web'])).toMatchObject({ transport: 'http' })
  expect(await lab.run(['remove', 'web'])).toMatchObject({ code: 0, stdout: "Removed the server 'web'.\n" })
  expect((await runCli(['mcp', 'help', 'add'])).stdout).toContain('Usage: ostler mcp add')
})

test('a server is shown with all its fields', async () => {
  await using lab = await openMcpLab()
  const rows = async (name: string) => (await lab.run(['get', name])).stdout
  const entry = {
    url: 'https://web.example/mcp',
    headers: { 'X-One': '1', 'X-Two': '2' },
    auth: { type: 'bearer', token: 'token-value-1' },
    enabled: false,
    mode: 'strict',
  }
  await lab.run(['import', '-', '--yes'], { input: JSON.stringify({ web: entry }) })
  const web = await rows('web')
  for (const row of [
    /^web\nFrom: +stored$/m,
    /^Connects to: +https:\/\/web\.example\/mcp$/m,
    /^Headers: +X-One, X-Two$/m,
    /^Secrets: +auth\.token$/m,
    /^Secrets in: +\S/m,
    /^Enabled: +no$/m,
    /^Mode: +strict$/m,
    /^Stored: +\d{4}-/m,
  ])
    expect(web).toMatch(row)
  expect(web).not.toContain('token-value-1')
  expect(web).not.toMatch(/^(?:Connected last|Problem|In):/m)

  await lab.run(['add', 'notes', '--cwd', '/somewhere', '--', 'stored-program'])
  expect(await rows('notes')).toMatch(/^In: +\/somewhere$/m)
  const file = join(lab.path, 'agent.yaml')
  await writeFile(file, 'mcpServers:\n  own: { type: stdio, command: own-server, mode: strict }\n')
  const { stdout: ofFile, stderr } = await lab.run(['get', 'own', '--agent', file])
  expect(stderr).toBe('')
  expect(ofFile).toMatch(/^From: +the agent file$/m)
  expect(ofFile).not.toMatch(/^Stored:/m)
  expect(ofFile).toMatch(/^In: +~ \(default\)$/m)
})

test('a server that is given by files of this folder is told that it starts in the home directory', async () => {
  await using lab = await openMcpLab()
  const cwd = join(lab.path, 'project')
  await mkdir(cwd)
  for (const name of ['server.mjs', 'mysrv.py']) await writeFile(join(cwd, name), '')
  const note = async (...words: string[]) => {
    const { code, stderr } = await lab.run(['add', 'local', ...words], { cwd })
    await lab.run(['remove', 'local'])
    expect(code).toBe(0)
    return /where (\S+) may not be\. Add --cwd \. to start it here/.exec(stderr)?.[1] ?? stderr
  }
  expect(await note('--', 'node', 'server.mjs')).toBe('server.mjs')
  expect(await note('--', 'python3', '-m', 'mysrv')).toBe('mysrv')
  expect(await note('--', './server.mjs')).toBe('./server.mjs')
  expect(await note('--', 'node', join(cwd, 'server.mjs'))).toBe('')
  expect(await note('--', 'npx', '-y', 'server-of-npm')).toBe('')
  expect(await note('--cwd', '.', '--', 'node', 'server.mjs')).toBe('')
  await lab.run(['add', 'here', '--', 'node', 'server.mjs'])
  await lab.run(['update', 'here', '--cwd', '.'], { cwd })
  expect(await lab.json(['get', 'here'])).toMatchObject({ entry: { cwd } })
  await lab.run(['update', 'here', '--cwd', '${PROJECT}'], { cwd })
  expect(await lab.json(['get', 'here'])).toMatchObject({ entry: { cwd: '${PROJECT}' } })
})

test('a command stays a command, and a URL a URL', async () => {
  await using lab = await openMcpLab()
  await lab.run(['add', 'one', '-e', 'TOKEN=token-value-1', '--', 'npx', 'a-server'])
  await lab.run(['add', 'web', 'https://web.example/mcp'])
  const before = await lab.list()
  for (const [name, ...change] of [
    ['one', '--url', 'https://one.example/mcp'],
    ['one', '--transport', 'sse'],
    ['web', '--', 'npx'],
    ['web', '--transport', 'stdio'],
  ])
    expect(await lab.run(['update', name ?? '', ...change])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('remove it and add it again'),
    })
  expect(await lab.list()).toEqual(before)
  expect(await lab.run(['update', 'web', '--url', 'https://two.example/mcp'])).toMatchObject({ code: 0 })
  expect(await lab.run(['update', 'one', '--transport', 'stdio', '--', 'npx', 'b'])).toMatchObject({
    code: 0,
  })
})

test('a variable given by name refers to the environment, with a warning if it is not set', async () => {
  await using lab = await openMcpLab()
  const { code, stderr } = await lab.run(['add', 'one', '-e', 'HOME', '-e', 'NOT_SET_HERE', '--', 'a'])
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^ostler: the variable NOT_SET_HERE is not set in this shell.*\n$/),
  })
  expect(await lab.run(['add', 'a\u0007b', '--', 'a'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('a hidden character'),
  })
})

test('servers are added as a command or a URL, and listed with those of the agent file', async () => {
  await using lab = await openMcpLab()
  const added = await lab.run([
    'add',
    'files',
    '-e',
    'PLAIN=1',
    '-e',
    'HOME',
    '--cwd',
    '/tmp',
    '--',
    'npx',
    '-y',
    'a server',
    '--token=abc-secret-1',
  ])
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(added.stdout).toBe(
    "Stored the server 'files'.\nIts secrets are in an encrypted file: args.2\nTry it: ostler mcp test files\n",
  )
  const web = [
    'add',
    'web',
    'https://web.example/mcp',
    '-H',
    'X-Plain: yes',
    '--set',
    'description=The web',
    '--set',
    'mode=strict',
    '--disabled',
  ]
  expect(await lab.json(web)).toMatchObject({
    name: 'web',
    origin: 'stored',
    transport: 'http',
    enabled: false,
    entry: {
      type: 'http',
      url: 'https://web.example/mcp',
      headers: { 'X-Plain': 'yes' },
      description: 'The web',
      mode: 'strict',
    },
  })
  await lab.run([
    'add',
    'older',
    '-t',
    'sse',
    'https://old.example/sse',
    '--set',
    'retryAttempts=1',
    '--set',
    'defaultToolConfig.timeout=1m',
  ])
  const file = join(lab.path, 'agent.yaml')
  await writeFile(
    file,
    'mcpServers:\n  own: { type: stdio, command: own-server, mode: strict }\n  web: { type: stdio, command: other, mode: strict }\n',
  )

  const { code, stdout } = await lab.run(['list', '--agent', file])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^NAME +FROM +TRANSPORT +ENABLED +SECRETS +RUNS$/m)
  expect(stdout).toMatch(/^own +agent file +stdio +yes +own-server$/m)
  expect(stdout).toMatch(
    /^files +stored +stdio +yes +1 in an encrypted file +npx -y 'a server' '--token=\[redacted\]'$/m,
  )
  expect(stdout).toMatch(
    /^web +stored, overridden by the agent file +http +no +https:\/\/web\.example\/mcp$/m,
  )
  expect(stdout).not.toContain('secret-1')
  const [, , files, older] = (await lab.json(['list', '--agent', file]))['servers'] as Record<
    string,
    unknown
  >[]
  expect(files).toMatchObject({
    entry: {
      cwd: '/tmp',
      env: { PLAIN: '1', HOME: '${HOME}' },
      args: ['-y', 'a server', '--token=${secret:args.2}'],
    },
  })
  expect(older).toMatchObject({
    transport: 'sse',
    entry: { retryAttempts: 1, defaultToolConfig: { timeout: '1m' } },
  })
})

test('a name is used only once, and problems of a server are reported', async () => {
  await using lab = await openMcpLab()
  await lab.run(['add', 'one', '--', 'one'])
  expect(await lab.run(['add', 'one', '--', 'two'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      "ostler: There is already a stored server named 'one'. Choose another name, or change that server.\n",
  })
  const wrong = await lab.run([
    'add',
    'two',
    'http://example.com/mcp',
    '--set',
    'timeout=long',
    '--set',
    'colour=red',
  ])
  expect(wrong).toMatchObject({ code: 1, stdout: '' })
  for (const part of ["The server 'two' is not valid", 'url: must use https', 'timeout: ', 'colour'])
    expect(wrong.stderr).toContain(part)
  expect(await lab.list()).toHaveLength(1)
})

test('secrets are read from standard input, and never shown', async () => {
  await using lab = await openMcpLab()
  const input = 'first-value-1\nsecond-$-value-${2}\n'
  const args = [
    'add',
    'two',
    '--secret',
    'PLAIN',
    '--secret',
    'OTHER_KEY',
    '--secret',
    'GIVEN',
    '-e',
    'GIVEN=given-value-1',
    '--secret-stdin',
  ]
  const added = await lab.run([...args, ...serverCommand('faulty-server.mjs', 'show-environment')], { input })
  expect(added).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('env.GIVEN, env.PLAIN, env.OTHER_KEY'),
  })
  const called = JSON.parse((await lab.run(['call', 'two', 'echo'])).stdout) as Record<string, string>
  // The values reach the server and are redacted in its output.
  expect([called['PLAIN'], called['OTHER_KEY'], called['GIVEN']]).toEqual([
    '[redacted]',
    '[redacted]',
    '[redacted]',
  ])
  const exported = async (format: string) =>
    JSON.parse((await lab.run(['export', '--with-secrets', '--format', format])).stdout).mcpServers.two.env
  expect(await exported('mcpServers')).toEqual({
    PLAIN: 'first-value-1',
    OTHER_KEY: 'second-$-value-${2}',
    GIVEN: 'given-value-1',
  })
  expect(await exported('ostler')).toMatchObject({ OTHER_KEY: 'second-$-value-$${2}' })
  for (const command of [['list'], ['list', '--json'], ['export']])
    expect((await lab.run(command)).stdout).not.toMatch(/-value-/)

  expect(await lab.run(['add', 'three', '--secret', 'A', '--', 'x'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--secret-stdin'),
  })
  expect(
    await lab.run(['add', 'three', '--secret', 'A', '--secret-stdin', '--', 'x'], { input: '' }),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('o value given for A'),
  })
})

test('kinds of credentials', async () => {
  await using lab = await openMcpLab()
  const url = 'https://web.example/mcp'
  await lab.run(['add', 'bearer', url, '--auth-bearer', '-', '--secret-stdin'], { input: 'bearer-value\n' })
  await lab.run(['add', 'key', url, '--auth-api-key', 'key-value-1', '--auth-header', 'x-key'])
  await lab.run(['add', 'basic', url, '--auth-basic', 'me', '--secret-stdin'], { input: 'password-value\n' })
  const auths = (await lab.list()).map(({ name, entry }) => [name, (entry as { auth: unknown }).auth])
  expect(Object.fromEntries(auths)).toEqual({
    bearer: { type: 'bearer', token: '${secret:auth.token}' },
    key: { type: 'api-key', key: '${secret:auth.key}', header: 'x-key' },
    basic: { type: 'basic', username: 'me', password: '${secret:auth.password}' },
  })
  const exported = JSON.parse((await lab.run(['export', '--with-secrets'])).stdout) as {
    mcpServers: Record<string, { headers: object }>
  }
  expect(
    Object.fromEntries(Object.entries(exported.mcpServers).map(([name, { headers }]) => [name, headers])),
  ).toEqual({
    bearer: { Authorization: 'Bearer bearer-value' },
    key: { 'x-key': 'key-value-1' },
    basic: { Authorization: `Basic ${Buffer.from('me:password-value').toString('base64')}` },
  })
  expect(JSON.parse((await lab.run(['export'])).stdout)).toMatchObject({
    mcpServers: {
      bearer: { headers: { Authorization: 'Bearer ${BEARER_TOKEN}' } },
      key: { headers: { 'x-key': '${KEY_KEY}' } },
    },
  })
})

test.runIf(hasTerminal)(
  'on a terminal the command asks for a secret, and does not show it while it is typed',
  async () => {
    await using lab = await openMcpLab()
    const args = ['mcp', 'add', 'one', '--state-dir', lab.stateDir, '--secret', 'TOKEN', '--', 'one']
    const { code, shown } = await runOnTerminal(args, {
      env: lab.env,
      typed: [['TOKEN: ', 'typed-value-1\r']],
    })
    expect(code).toBe(0)
    expect(shown).toContain("Stored the server 'one'.")
    expect(shown).not.toContain('typed-value')
    expect((await lab.run(['export', '--with-secrets'])).stdout).toContain('"TOKEN": "typed-value-1"')
    const left = await runOnTerminal(args.with(2, 'two'), { env: lab.env, typed: [['TOKEN: ', '\u0003']] })
    expect(left).toMatchObject({ code: 1, shown: expect.stringContaining('Cancelled') })
    expect(await lab.list()).toHaveLength(1)
  },
)

test('single fields are changed, and the rest stays', async () => {
  await using lab = await openMcpLab()
  await lab.run([
    'add',
    'one',
    '-e',
    'A=1',
    '-e',
    'TOKEN=token-value-1',
    '--set',
    'description=Old',
    '--',
    'one',
    'arg',
  ])
  const entry = async () => (await lab.list())[0]?.['entry']
  expect(
    await lab.run([
      'update',
      'one',
      '-e',
      'B=2',
      '--unset',
      'env.A',
      '--unset',
      'description',
      '--set',
      'timeout=10s',
    ]),
  ).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(await entry()).toMatchObject({
    command: 'one',
    args: ['arg'],
    env: { TOKEN: '${secret:env.TOKEN}', B: '2' },
    timeout: '10s',
  })
  expect(await entry()).not.toHaveProperty('description')
  expect((await lab.run(['export', '--with-secrets'])).stdout).toContain('token-value-1')

  const before = await entry()
  for (const [field, message] of [
    ['nothing', "has no field 'nothing' to unset"],
    ['timeot', "has no field 'timeot' to unset; did you mean 'timeout'?"],
    ['env.TOKN', "has no field 'env.TOKN' to unset; did you mean 'env.TOKEN'?"],
  ] as const)
    expect(await lab.run(['update', 'one', '--unset', field])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    })
  expect(await entry()).toEqual(before)

  await lab.run(['update', 'one', '--set', 'defaultToolConfig.timeout=1m', '--set', 'include=agent'])
  await lab.run([
    'update',
    'one',
    '--set',
    'defaultToolConfig.maxInstances=3',
    '--unset',
    'defaultToolConfig.timeout',
  ])
  expect(await entry()).toMatchObject({ defaultToolConfig: { maxInstances: 3 }, include: 'agent' })

  expect(await lab.run(['update', 'one', '--name', 'two', '--', 'other', '-x'])).toMatchObject({ code: 0 })
  expect(await lab.list()).toMatchObject([
    { name: 'two', entry: { command: 'other', args: ['-x'], env: { B: '2' } } },
  ])
})

test('servers are disabled, enabled and removed by name, either all that are named or none', async () => {
  await using lab = await openMcpLab()
  for (const name of ['one', 'two']) await lab.run(['add', name, '--', name])
  const enabled = async () => (await lab.list()).map((server) => server['enabled'])
  expect(await lab.run(['disable', 'one', 'two'])).toEqual({
    code: 0,
    stdout: "Disabled the server 'one'.\nDisabled the server 'two'.\n",
    stderr: '',
  })
  expect(await enabled()).toEqual([false, false])
  expect(await lab.run(['enable', 'one'])).toMatchObject({ code: 0 })
  expect(await enabled()).toEqual([true, false])
  expect(await lab.run(['remove', 'one', 'three'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: "ostler: There is no server named 'three'.\n",
  })
  expect(await enabled()).toHaveLength(2)
  expect(await lab.run(['remove', 'one', 'two'])).toMatchObject({ code: 0, stderr: '' })
  expect(await enabled()).toEqual([])
})

test('an export for an agent file is a valid agent file', async () => {
  await using lab = await openMcpLab()
  await lab.run(['add', 'one', '-e', 'TOKEN=token-value-1', '--', 'one'])
  await lab.run(['add', 'two', '-e', 'TOKEN=token-value-2', '--', 'two'])
  await lab.run(['add', 'web', 'https://web.example/mcp', '--auth-bearer', 'bearer-value-1'])
  const { stdout } = await lab.run(['export', '--format', 'ostler'])
  expect(JSON.parse(stdout)).toMatchObject({
    mcpServers: {
      one: { env: { TOKEN: '${ONE_TOKEN}' } },
      two: { env: { TOKEN: '${TWO_TOKEN}' } },
      web: { auth: { token: '${WEB_TOKEN}' } },
    },
  })
  const file = join(lab.path, 'agent.json')
  await writeFile(file, stdout)
  const check = await runCli(['check', '--agent', file, '--state-dir', join(lab.path, 'other')], {
    env: { ...lab.env, ONE_TOKEN: '1', TWO_TOKEN: '2', WEB_TOKEN: '3' },
  })
  expect(check).toMatchObject({ code: 0, stderr: '' })
  expect(
    Object.keys((JSON.parse((await lab.run(['export', 'two'])).stdout) as { mcpServers: object }).mcpServers),
  ).toEqual(['two'])
  expect(await lab.run(['export', 'three'])).toMatchObject({ code: 1 })
})

test.each([
  [['mcp', 'dance'], "unknown command 'mcp dance'"],
  [['mcp', '--dance'], '--dance'],
  [['mcp', 'add'], 'needs a name'],
  [['mcp', 'add', 'one'], 'needs the URL of the server, or its command'],
  [['mcp', 'add', 'one', '--'], 'needs the URL of the server, or its command'],
  [
    ['mcp', 'add', 'one', 'npx', '-y', 'server'],
    "unknown option '-y'. If it belongs to the server's command, put -- before",
  ],
  [['mcp', 'add', 'one', 'two', '--', 'three'], "unexpected argument 'two'"],
  [['mcp', 'add', 'one', 'https://a.example', 'b'], "unexpected argument 'b'"],
  [['mcp', 'add', 'one', '-t', 'stdio', 'https://a.example'], 'needs a command'],
  [['mcp', 'add', 'one', '-t', 'http', '--', 'a'], 'needs a URL'],
  [['mcp', 'add', 'one', '-t', 'pigeon', 'https://a.example'], '--transport must be one of'],
  [['mcp', 'add', 'one', '-e', '=1', '--', 'a'], 'every --env must'],
  [['mcp', 'add', 'one', '-e', 'A=1', 'https://a.example'], '--env works with a command'],
  [['mcp', 'add', 'one', '-H', 'A: 1', '--', 'a'], '--header works with a URL'],
  [['mcp', 'add', 'one', '--auth-bearer', 'x', '--', 'a'], '--auth-... works with a URL'],
  [['mcp', 'add', 'one', '--auth-header', 'x', 'https://a.example'], 'requires --auth-api-key'],
  [['mcp', 'add', 'one', '--auth-client', 'x:y', 'https://a.example'], 'must be used together'],
  [['mcp', 'update'], 'needs the name'],
  [['mcp', 'update', 'one'], 'nothing to change'],
  [['mcp', 'remove'], 'needs the names'],
  [['mcp', 'enable'], 'needs the names'],
  [['mcp', 'list', 'all'], "unexpected argument 'all'"],
  [['mcp', 'export', '--format', 'xml'], '--format must be'],
  [['mcp', 'test'], 'needs the name of one server'],
  [['mcp', 'get'], 'needs the name of one server'],
  [['mcp', 'lst'], "unknown command 'mcp lst'; did you mean 'list'?"],
  [['mcp', 'list', '--jsn'], "unknown option '--jsn'; did you mean '--json'?"],
  [['mcp', 'add', 'one', 'ftp://a.example/mcp'], 'not with ftp://'],
  [
    ['mcp', 'add', 'one', 'mcp.example.com/mcp'],
    'mcp.example.com looks like an address: put https:// before it',
  ],
  [['mcp', 'add', 'one', 'localhost:3000'], 'put http:// before it'],
  [
    ['mcp', 'add', 'one', 'htp:/foo'],
    "'htp:/foo' is not a URL that begins with https:// or http://. A command must follow --",
  ],
  [['mcp', 'add', 'one', 'npx'], 'A command must follow --'],
  [['mcp', 'call', 'one', 'two', '[1]'], 'a JSON object'],
  [['mcp', 'call', 'one', 'two', 'three'], "'three' must have the form KEY=VALUE"],
  [['mcp', 'call', 'one'], 'needs a server and a tool'],
  [['mcp', 'call', 'one', 'two', '{"a":'], 'not valid JSON'],
  [['mcp', 'call', 'one', 'two', '{}', 'x=1'], "unexpected argument 'x=1'"],
  [['mcp', 'call', 'one', 'two', '--timeout', 'long'], '--timeout must be a duration'],
  [['mcp', 'read', 'one'], 'the name of a server and a URI'],
  [['mcp', 'import'], 'needs a FILE or --from'],
  [['mcp', 'import', 'a', '--from', 'zed'], 'needs a FILE or --from'],
  [['mcp', 'import', '--from', 'vi'], '--from must be one of'],
  [['mcp', 'import', '-'], 'needs --yes'],
])('ostler %j is invalid: exit code 2', async (args, reason) => {
  const { code, stdout, stderr } = await runCli(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(reason)
  expect(stderr).toMatch(/^(?:See|Usage:) ostler mcp\b/m)
})
