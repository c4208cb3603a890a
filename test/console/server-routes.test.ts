import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { textResult } from '@ostler/agent-api'
import { createToolCallId, createStoredState } from '@ostler/agent-api/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTempDir, type TempDir } from '../support/temp-dir.ts'
import { openConsole, type OpenConsole } from './console-process.ts'

let dir: TempDir
let console: OpenConsole
beforeAll(async () => {
  dir = await openTempDir()
  await writeFile(
    join(dir.path, 'ostler.yaml'),
    `name: reviewer
mcpServers:
  files:
    type: stdio
    command: npx
    args: [-y, some-server]
    env: { API_KEY: file-secret-123456 }
    mode: strict
`,
  )
  console = await openConsole({ args: ['--agent', join(dir.path, 'ostler.yaml')] })
})
afterAll(async () => {
  await console[Symbol.asyncDispose]()
  await dir[Symbol.asyncDispose]()
})

const entry = {
  type: 'stdio',
  command: 'npx',
  args: ['-y', 'x', '--token=arg-secret-123456'],
  env: { API_KEY: 'env-secret-123456', MODE: 'fast' },
}

test('its name and version', async () => {
  expect((await console.ask('GET', '/api/about')).json).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    agent: { name: 'reviewer', file: join(dir.path, 'ostler.yaml') },
    stateDir: console.stateDir,
    commandFlags: ['--agent', join(dir.path, 'ostler.yaml'), '--state-dir', console.stateDir],
    secretStore: { kind: 'file' },
  })
})

test('patterns of servers are checked here, in linear time', async () => {
  const checks = [
    { pattern: '^a+$', text: 'aaa' },
    { pattern: '^a+$', text: 'b' },
    { pattern: '^(a+)+$', text: `${'a'.repeat(50)}b` },
    { pattern: '(', text: 'cannot be checked' },
  ]
  expect((await console.ask('POST', '/api/patterns', { checks })).json).toEqual({
    matches: [true, false, false, true],
  })
})

describe('servers', () => {
  test('of the agent file are shown, but can only be changed in the file', async () => {
    const { servers } = (await console.ask('GET', '/api/servers')).json
    expect(servers).toMatchObject([
      { id: 'file:files', origin: 'file', entry: { env: { API_KEY: '${secret:env.API_KEY}' } } },
    ])
    const path = `/api/servers/${encodeURIComponent('file:files')}`
    expect((await console.ask('GET', path)).json.name).toBe('files')
    expect(await console.ask('DELETE', path)).toMatchObject({
      status: 409,
      json: { code: 'servers.read_only' },
    })
    expect(await console.ask('PATCH', path, { enabled: false })).toMatchObject({
      status: 409,
      json: { code: 'servers.read_only' },
    })
  })

  test('are added, changed, disabled and removed', async () => {
    const { status, json: added } = await console.ask('POST', '/api/servers', {
      confirmed: true,
      name: 'one',
      entry,
    })
    expect(status).toBe(201)
    expect(added).toMatchObject({
      origin: 'stored',
      enabled: true,
      entry: { env: { API_KEY: '${secret:env.API_KEY}', MODE: 'fast' } },
    })
    const path = `/api/servers/${added.id}`
    expect(
      (
        await console.ask('PATCH', path, {
          name: 'uno',
          enabled: false,
          entry: { env: { API_KEY: '${secret:env.API_KEY}', MODE: 'slow' } },
        })
      ).json,
    ).toMatchObject({
      name: 'uno',
      enabled: false,
      entry: { env: { MODE: 'slow' } },
      secrets: expect.arrayContaining([{ name: 'env.API_KEY', set: true, lastFour: '3456' }]),
    })
    expect(await console.ask('POST', '/api/servers', { confirmed: true, name: 'uno', entry })).toMatchObject({
      status: 409,
      json: { code: 'servers.name_taken', issues: [{ path: ['name'] }] },
    })
    expect((await console.ask('DELETE', path)).json).toEqual({})
    expect(await console.ask('GET', path)).toMatchObject({ status: 404, json: { code: 'servers.unknown' } })
    expect((await console.ask('DELETE', path)).status).toBe(404)
  })

  test('are not stored when invalid, and each field has its reason', async () => {
    const { status, json } = await console.ask('POST', '/api/servers', {
      name: '',
      entry: { type: 'stdio', timeout: 'soon', nonsense: 1 },
    })
    expect(status).toBe(422)
    expect(json.issues.map(({ path }: { path: string[] }) => path)).toEqual(
      expect.arrayContaining([['name'], ['command'], ['timeout'], ['nonsense']]),
    )
    expect(
      await console.ask('POST', '/api/servers', { confirmed: true, name: 'x', entry, extra: 1 }),
    ).toMatchObject({
      status: 400,
      json: { code: 'console.bad_request' },
    })
  })

  test('are previewed while a form is filled in', async () => {
    const validate = async (draft: object) => (await console.ask('POST', '/api/servers/validate', draft)).json
    expect(await validate({ name: 'x', entry })).toEqual({
      issues: [],
      commandLine: "API_KEY=[redacted] MODE=fast npx -y x '--token=[redacted]'",
    })
    expect(
      await validate({
        name: 'x',
        entry: {
          type: 'http',
          url: 'https://mcp.example.com/mcp?key=url-secret-123456',
          headers: { Authorization: 'Bearer head-secret-1' },
        },
      }),
    ).toMatchObject({
      issues: [],
      commandLine: expect.stringMatching(
        /^https:\/\/mcp\.example\.com\/mcp\?key=\[redacted\] 'Authorization: (Bearer )?\[redacted\]'$/,
      ),
    })
    expect((await validate({ name: 'x', entry: { type: 'http', url: 'nowhere' } })).issues).toMatchObject([
      { path: ['url'] },
    ])
    const { json: added } = await console.ask('POST', '/api/servers', {
      confirmed: true,
      name: 'kept',
      entry,
    })
    const edit = {
      id: added.id,
      name: 'kept',
      entry: { args: ['z'], env: { API_KEY: '${secret:env.API_KEY}' } },
    }
    expect(await validate(edit)).toEqual({ issues: [], commandLine: 'API_KEY=[redacted] npx z' })
    await console.ask('DELETE', `/api/servers/${added.id}`)
  })
})

describe('import and export', () => {
  const text = JSON.stringify({
    mcpServers: {
      github: { command: 'npx', args: ['-y', 'github'], env: { GITHUB_TOKEN: 'ghp_0123456789abcdef' } },
      remote: { type: 'http', url: 'https://mcp.example.com/mcp' },
      odd: { nothing: true },
    },
  })
  test('a preview starts and changes nothing, and shows no secret', async () => {
    const { json: preview, text: answer } = await console.ask('POST', '/api/import/preview', { text })
    expect(preview).toMatchObject({
      servers: [
        {
          name: 'github',
          freeName: 'github',
          commandLine: 'GITHUB_TOKEN=[redacted] npx -y github',
          secrets: ['env.GITHUB_TOKEN'],
          asked: [],
        },
        { name: 'remote', transport: 'http', commandLine: 'https://mcp.example.com/mcp', secrets: [] },
      ],
      skipped: [{ name: 'odd' }],
    })
    expect(answer).not.toContain('ghp_')
    expect((await console.ask('GET', '/api/servers')).json.servers).toHaveLength(1)
    // A path is a command, and no file is read.
    expect((await console.ask('POST', '/api/import/preview', { text: '/etc/passwd' })).json).toMatchObject({
      servers: [{ commandLine: '/etc/passwd' }],
    })
    expect(await console.ask('POST', '/api/import/preview', { text: 'a | b' })).toMatchObject({
      status: 422,
      json: { code: 'import.invalid' },
    })
  })
  test('a server.json is asked for its values, and each way to run it is a server', async () => {
    const server = {
      name: 'io.example/weather',
      version: '1.0.2',
      description: 'Weather',
      packages: [
        {
          registryType: 'npm',
          identifier: '@example/weather',
          version: '1.0.2',
          transport: { type: 'stdio' },
          environmentVariables: [
            { name: 'WEATHER_KEY', description: 'Of the service', isRequired: true, isSecret: true },
            { name: 'LANG2', description: 'Its language', choices: ['de', 'en'] },
          ],
        },
      ],
      remotes: [{ type: 'sse', url: 'https://weather.example.com/sse' }],
    }
    const document = JSON.stringify(server)
    const { json } = await console.ask('POST', '/api/import/preview', { text: document })
    expect(json).toMatchObject({
      servers: [
        {
          name: 'io.example/weather 1.0.2 (npm)',
          freeName: 'weather',
          commandLine: 'WEATHER_KEY=[redacted] npx -y @example/weather@1.0.2',
          asked: [
            {
              id: 'env.WEATHER_KEY',
              label: 'WEATHER_KEY',
              description: 'Of the service',
              isRequired: true,
              isSecret: true,
            },
            { id: 'env.LANG2', isRequired: false, description: 'Its language. Optional.' },
          ],
        },
        {
          name: 'io.example/weather 1.0.2 (sse)',
          transport: 'sse',
          commandLine: 'https://weather.example.com/sse',
          asked: [],
        },
      ],
    })
    const add = (values: object) =>
      console.ask('POST', '/api/import', {
        text: document,
        server: json.servers[0].name,
        name: 'rain',
        values,
        confirmed: true,
      })
    expect(await add({})).toMatchObject({
      status: 422,
      json: { message: expect.stringContaining('WEATHER_KEY is required') },
    })
    expect(await add({ 'env.WEATHER_KEY': 'hush-hush-hush' })).toMatchObject({
      status: 201,
      json: { secrets: [{ name: 'env.WEATHER_KEY' }] },
    })
    const { id } = (await console.ask('GET', '/api/servers')).json.servers.find(
      ({ name }: { name: string }) => name === 'rain',
    )
    await console.ask('DELETE', `/api/servers/${id}`)
    const search = (address: string) => console.ask('POST', '/api/import/registry', { address, search: 'x' })
    expect(await search('ftp://a.example')).toMatchObject({ status: 422, json: { code: 'registry.address' } })
    expect(await search('http://169.254.169.254/latest')).toMatchObject({
      status: 422,
      json: { code: 'registry.address' },
    })
  })
  test('a server of it is added after consent, and can be exported without its secrets', async () => {
    const add = (server: string, more: object = {}) =>
      console.ask('POST', '/api/import', { text, server, name: server, ...more })
    const commandLine = 'GITHUB_TOKEN=[redacted] npx -y github'
    expect(await add('github')).toMatchObject({
      status: 409,
      json: { code: 'console.unconfirmed', confirm: { kind: 'command', commandLine } },
    })
    expect(await add('github', { confirmed: true, confirmedCommandLine: 'npx -y other' })).toMatchObject({
      status: 409,
    })
    expect(await add('odd', { confirmed: true })).toMatchObject({
      status: 422,
      json: { code: 'import.unknown' },
    })
    expect(await add('github', { confirmed: true, confirmedCommandLine: commandLine })).toMatchObject({
      status: 201,
      json: { name: 'github' },
    })
    expect((await console.ask('POST', '/api/import/preview', { text })).json.servers).toMatchObject([
      { freeName: 'github-2' },
      { freeName: 'remote' },
    ])
    expect(await add('github')).toMatchObject({ status: 409, json: { code: 'servers.name_taken' } })
    const exported = await console.ask('GET', '/api/export')
    expect(exported.headers.get('content-disposition')).toBe('attachment; filename="ostler-servers.json"')
    expect(exported.json.mcpServers).toMatchObject({
      files: { command: 'npx', env: { API_KEY: '${API_KEY}' } },
      github: { command: 'npx', args: ['-y', 'github'], env: { GITHUB_TOKEN: '${GITHUB_TOKEN}' } },
    })
    expect(exported.text).not.toMatch(/ghp_|file-secret/)
  })
})

describe('calls', () => {
  const count = 1_234
  beforeAll(async () => {
    using history = createStoredState({ stateDir: console.stateDir })
    const recorder = history.calls.recorder({ agent: 'reviewer' })
    for (let index = 0; index < count; index++) {
      const record = await recorder.start({
        id: createToolCallId(),
        server: 'bulk',
        tool: '=tool',
        arguments: { index, text: '"a",\n=b' },
      })
      record.decided('allow', { by: 'mode', how: 'auto' })
      record.ended('success', textResult(`-result ${index}`))
    }
  })

  test.each(['limit=0', 'limit=1000', 'status=gone', 'since=yesterday', 'turn=x', 'nonsense=1', 'before=-1'])(
    '%s is no question',
    async (query) => {
      expect((await console.ask('GET', `/api/calls?${query}`)).status).toBe(400)
    },
  )

  test('are all exported, as JSON and for a spreadsheet, which runs nothing in them', async () => {
    const { json, headers } = await console.ask('GET', '/api/calls/export?format=json&server=bulk')
    expect(headers.get('content-disposition')).toBe('attachment; filename="ostler-calls.json"')
    expect(json).toHaveLength(count)
    expect(json[0]).toMatchObject({ server: 'bulk', arguments: { index: count - 1 } })
    const { text } = await console.ask('GET', '/api/calls/export?format=csv&server=bulk')
    const rows = text.split('\r\n')
    expect(rows[0]).toBe(
      'id,startedAt,endedAt,durationMs,status,agent,sessionId,turn,server,tool,decision,rule,arguments,result,error',
    )
    expect(rows).toHaveLength(count + 2)
    expect(rows[1]).toContain(
      `bulk,'=tool,allow,mode:auto,"{""index"":${count - 1},""text"":""\\""a\\"",\\n=b""}",'-result ${count - 1},`,
    )
    expect((await console.ask('GET', '/api/calls/export?format=json&server=none')).json).toEqual([])
    expect((await console.ask('GET', '/api/calls/export?format=pdf')).status).toBe(400)
  })

  test('are not read faster than the client accepts them', async () => {
    const leave = new AbortController()
    const response = await fetch(`${console.origin}/api/calls/export?format=csv`, {
      headers: { authorization: console.authorization },
      signal: leave.signal,
    })
    await response.body?.getReader().read()
    leave.abort()
    expect((await console.ask('GET', '/api/calls?limit=1')).status).toBe(200)
    expect(console.stderr()).toBe('')
  })

  test('are not found if they do not exist', async () => {
    expect(await console.ask('GET', '/api/calls/call_none')).toMatchObject({
      status: 404,
      json: { code: 'console.unknown_call' },
    })
    expect((await console.ask('GET', '/api/sessions/none')).status).toBe(404)
    expect((await console.ask('GET', '/api/nothing')).status).toBe(404)
    expect((await console.ask('DELETE', '/api/grants/x')).status).toBe(404)
  })
})

test('an agent file that becomes invalid is reported, and the stored servers remain', async () => {
  await using place = await openTempDir()
  const file = join(place.path, 'ostler.yaml')
  await writeFile(
    file,
    'approval: {mode: never}\nproviders: {p: {type: openai, apiKey: provider-secret-123}}\n',
  )
  await using broken = await openConsole({ args: ['--agent', file] })
  const { json: view } = await broken.ask('GET', '/api/agent')
  expect(view.problems).toMatchObject([expect.stringContaining('approval.mode')])
  expect((await broken.ask('POST', '/api/servers', { confirmed: true, name: 'one', entry })).status).toBe(201)
  expect(await broken.ask('POST', '/api/agent/preview', { settings: view.settings })).toMatchObject({
    status: 422,
    json: { code: 'config.invalid' },
  })

  await writeFile(
    file,
    'name: mended\nproviders: {p: {type: openai, apiKey: provider-secret-123}}\ntoolBudget: 3\nmcpServers: {added: {type: stdio, command: x, mode: strict}}\n',
  )
  expect(
    (await broken.ask('GET', '/api/servers')).json.servers.map(({ name }: { name: string }) => name),
  ).toEqual(['added', 'one'])
  const { json: mended } = await broken.ask('GET', '/api/agent')
  expect(mended).toMatchObject({
    name: 'mended',
    problems: [],
    servers: [
      { name: 'added', used: true, mode: 'strict' },
      { name: 'one', used: true },
    ],
  })
  const preview = await broken.ask('POST', '/api/agent/preview', {
    settings: { ...mended.settings, toolBudget: 4 },
  })
  expect(preview.json.diff).toContain('+toolBudget: 4')
  expect(preview.text).toContain('apiKey: [redacted]')
  expect(preview.text).not.toContain('provider-secret')
})
