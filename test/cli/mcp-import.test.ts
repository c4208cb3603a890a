import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openMcpLab, type McpLab } from './mcp-lab.ts'
import { hasTerminal, runOnTerminal } from './run-on-terminal.ts'

async function write(lab: McpLab, path: string, text: string): Promise<string> {
  const file = join(lab.path, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

const claude = JSON.stringify({
  mcpServers: {
    files: {
      command: 'npx',
      args: ['-y', 'files', '--token=argument-secret-1'],
      env: { API_KEY: 'variable-secret-1', PLAIN: 'yes' },
    },
    web: {
      type: 'http',
      url: 'https://web.example/mcp',
      headers: { Authorization: 'Bearer header-secret-1' },
    },
    broken: { command: 7 },
    socket: { type: 'ws', url: 'wss://a.example' },
  },
})

test('without a yes, the plan is shown without secrets, and nothing is stored', async () => {
  await using lab = await openMcpLab()
  const file = await write(lab, 'claude.json', claude)
  const { code, stdout, stderr } = await lab.run(['import', file, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).not.toContain('secret-1')
  expect(JSON.parse(stdout)).toEqual({
    sources: [{ path: file, format: 'mcpServers', notes: [] }],
    servers: [
      {
        name: 'files',
        transport: 'stdio',
        enabled: true,
        origin: "npx -y files '--token=[redacted]'",
        names: ['API_KEY', 'PLAIN'],
        secrets: ['args.2', 'env.API_KEY'],
        variables: [],
        inputs: [],
        notes: [],
      },
      expect.objectContaining({
        name: 'web',
        origin: 'https://web.example/mcp',
        names: ['Authorization'],
        secrets: ['headers.Authorization'],
      }),
    ],
    skipped: [
      { name: 'broken', reason: 'it has neither a command nor a URL' },
      { name: 'socket', reason: 'its transport "ws" is not supported' },
    ],
    inputs: [],
    stored: [],
  })
  expect(await lab.list()).toEqual([])
  expect(await lab.run(['import', file])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs --yes'),
  })
})

test('with --yes the servers are stored, and existing ones stay', async () => {
  await using lab = await openMcpLab()
  const file = await write(lab, 'claude.json', claude)
  await lab.run(['add', 'web', '--', 'mine'])
  const { code, stdout, stderr } = await lab.run(['import', file, '--yes'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: `From ${file}\n` })
  expect(stdout).toMatch(/^NAME +TRANSPORT +RUNS +VARIABLES +SECRETS$/m)
  expect(stdout).toMatch(
    /^files +stdio +npx -y files '--token=\[redacted\]' +API_KEY PLAIN +args\.2 env\.API_KEY$/m,
  )
  expect(stdout).toContain('Skipped web: there is a stored server of this name')
  expect(stdout).toMatch(/Stored files\.\n$/)
  expect(stdout).not.toContain('secret-1')
  expect(await lab.list()).toMatchObject([
    { name: 'files', secretStore: 'file' },
    { name: 'web', entry: { command: 'mine' } },
  ])
  expect(JSON.parse((await lab.run(['export', 'files', '--with-secrets'])).stdout)).toEqual({
    mcpServers: { files: (JSON.parse(claude) as { mcpServers: { files: object } }).mcpServers.files },
  })
  expect(await lab.run(['import', file, '--yes'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Nothing to import'),
  })
})

test('--only selects single servers, and - is standard input', async () => {
  await using lab = await openMcpLab()
  expect(await lab.run(['import', '-', '--yes', '--only', 'web'], { input: claude })).toMatchObject({
    code: 0,
  })
  expect((await lab.list()).map(({ name }) => name)).toEqual(['web'])
  expect(await lab.run(['import', '-', '--yes', '--only', 'nobody'], { input: claude })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nobody'),
  })
})

test('without a person, a server that needs an input is left out, and the rest is stored', async () => {
  await using lab = await openMcpLab()
  const text = `{ // VS Code
    "inputs": [
      { "type": "promptString", "id": "key", "description": "The API key", "password": true },
      { "type": "promptString", "id": "region", "description": "The region", "default": "west" },
    ],
    "servers": {
      "one": { "type": "stdio", "command": "one", "args": ["--in", "\${workspaceFolder}/data"], "env": { "KEY": "\${input:key}", "REGION": "\${input:region}" }, "envFile": "\${workspaceFolder}/.env" },
      "two": { "type": "http", "url": "https://two.example/\${input:key}" },
    },
  }`
  const file = await write(lab, 'project/.vscode/mcp.json', text)
  await write(lab, 'project/.env', 'FROM_FILE="a value"\nREGION=other\n')
  const { code, stdout } = await lab.run(['import', file, '--yes'])
  expect(code).toBe(0)
  expect(stdout).toContain('one: env.KEY is skipped: it has no value')
  expect(stdout).toContain('one: the variables in its file ${workspaceFolder}/.env are not imported')
  expect(stdout).toContain('Skipped two: it requires a value for key')
  expect(await lab.list()).toMatchObject([
    {
      name: 'one',
      entry: {
        args: ['--in', join(lab.path, 'project/data')],
        env: { REGION: 'west' },
      },
    },
  ])
})

test.runIf(hasTerminal)('on a terminal the command asks for a yes and for missing inputs', async () => {
  await using lab = await openMcpLab()
  const text = JSON.stringify({
    inputs: [
      { id: 'key', description: 'The API key', password: true },
      { id: 'region', description: 'The region', default: 'west' },
    ],
    servers: { one: { command: 'one', args: ['${input:region}'], env: { PLAIN: '${input:key}' } } },
  })
  const file = await write(lab, 'mcp.json', text)
  const args = ['mcp', 'import', file, '--state-dir', lab.stateDir]
  const no = await runOnTerminal(args, { env: lab.env, typed: [['Store 1 server?', '\r']] })
  expect(no).toMatchObject({ code: 1, shown: expect.stringContaining('Nothing was stored') })
  expect(await lab.list()).toEqual([])
  const yes = await runOnTerminal(args, {
    env: lab.env,
    typed: [
      ['Store 1 server?', 'y\r'],
      ['The API key: ', 'typed-value-1\r'],
      ['The region [west]: ', '\r'],
    ],
  })
  expect(yes.code).toBe(0)
  expect(yes.shown).toContain('you will be prompted for: The region, The API key')
  expect(yes.shown).not.toContain('typed-value')
  expect(await lab.list()).toMatchObject([
    { entry: { args: ['west'], env: { PLAIN: '${secret:env.PLAIN}' } } },
  ])
})

test('--from reads a program’s usual locations, or lists them', async () => {
  await using lab = await openMcpLab()
  const nothing = await lab.run(['import', '--from', 'zed', '--yes'])
  expect(nothing).toMatchObject({ code: 1, stdout: '' })
  if (process.platform === 'linux')
    expect(nothing.stderr).toContain(`  ${join(lab.path, 'config/zed/settings.json')}\n`)
  const env = { APPDATA: join(lab.path, 'config') }
  await write(
    lab,
    '.cursor/mcp.json',
    '{ "mcpServers": { "cursor-one": { "url": "https://cursor.example/sse" } } }',
  )
  expect(await lab.run(['import', '--from', 'cursor', '--yes'], { env })).toMatchObject({
    code: 0,
    stderr: `From ${join(lab.path, '.cursor/mcp.json')}\n`,
  })
  expect(await lab.list()).toMatchObject([{ name: 'cursor-one', transport: 'sse' }])
})

test('errors in a file are reported before any question', async () => {
  await using lab = await openMcpLab()
  const file = join(lab.path, 'missing.json')
  expect(await lab.run(['import', file])).toMatchObject({
    code: 1,
    stderr: `ostler: ${file} cannot be read: no such file or directory.\n`,
  })
  expect(await lab.run(['import', lab.path, '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it is a directory.'),
  })
})

test.each([
  ['{ "mcpServers": { "a": { "command": "secret-value', 'is not JSON'],
  ['[]', 'not an object'],
  ['{ "theme": "One" }', 'There are no MCP servers in it'],
])('a file without a list of servers is reported: %s', async (text, reason) => {
  await using lab = await openMcpLab()
  const file = await write(lab, 'some.json', text)
  const { code, stdout, stderr } = await lab.run(['import', file, '--yes'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(`${file} cannot be imported.`)
  expect(stderr).toContain(reason)
  expect(stderr).not.toContain('secret-value')
  expect(await lab.run(['import', join(lab.path, 'missing.json'), '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot be read'),
  })
})
