import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canary, filesOf, formsOf, leaksIn } from '../support/canaries.ts'
import { startHttpFixture } from '../support/mcp-clients.ts'
import { openMcpLab, serverCommand, type McpLab } from './mcp-lab.ts'
import { runCli } from '../support/run-cli.ts'
import { runOstler } from './run-ostler.ts'

/** Runs commands and records their output. */
function createRecorder(lab: McpLab, env: Record<string, string> = {}) {
  const outputs: Record<string, string> = {}
  return {
    outputs,
    async run(args: readonly string[], input?: string) {
      const state = args[0] === 'init' || args[0] === 'schema' ? [] : ['--state-dir', lab.stateDir]
      const at = args.indexOf('--')
      const all = at === -1 ? [...args, ...state] : [...args.slice(0, at), ...state, ...args.slice(at)]
      // `ostler acp` ends its process, so it cannot run in the process of the tests.
      const start = args[0] === 'acp' ? runOstler : runCli
      const result = await start(all, {
        env: { ...lab.env, ...env },
        cwd: lab.path,
        ...(input !== undefined && { input }),
      })
      outputs[`${Object.keys(outputs).length}: ${args.slice(0, 4).join(' ').slice(0, 60)}`] =
        result.stdout + result.stderr
      // A command that was not understood would show nothing.
      expect(result.code, `${args.join(' ')}: ${result.stderr}`).not.toBe(2)
      return result
    },
  }
}

test('stored, updated, imported and exported servers are shown without their secrets', async () => {
  await using lab = await openMcpLab()
  await using server = await startHttpFixture('leaking-server.mjs', 'http')
  const secrets = {
    env: canary('env', '/+"$x 1'),
    note: canary('note', '$ and more'),
    typed: canary('typed', ' '),
    second: canary('second'),
    equals: canary('equals'),
    apart: canary('apart', '/+" '),
    script: `ghp_${canary('script').replaceAll('-', '')}`,
    database: canary('database', "'s"),
    bearer: canary('bearer', '/+='),
    key: canary('key'),
    basic: canary('basic', ':"'),
    header: canary('header'),
    query: canary('query'),
    userinfo: canary('userinfo'),
    imported: canary('imported'),
    importedArgument: canary('imported-argument'),
    importedHeader: canary('imported-header'),
    importedQuery: canary('imported-query'),
  }
  const dollars = (text: string) => text.replaceAll('$', '$$$$')
  const { run, outputs } = createRecorder(lab)
  const noted = [
    '-e',
    `API_TOKEN=${dollars(secrets.env)}`,
    '-e',
    `NOTE=${dollars(secrets.note)}`,
    '--secret',
    'NOTE',
  ]
  const started = [
    ...serverCommand('leaking-server.mjs', 'stdio'),
    `--token=${secrets.equals}`,
    '--password',
    secrets.apart,
    `echo secret=${secrets.script} >&2`,
  ]
  const added = [
    await run([
      'mcp',
      'add',
      'one',
      ...noted,
      '-e',
      `DATABASE=postgres://me:${secrets.database}@db/x`,
      ...started,
    ]),
    await run([
      'mcp',
      'add',
      'two',
      `${server.url}?token=${secrets.query}`,
      '--auth-bearer',
      secrets.bearer,
      '-H',
      `X-Api-Key: ${secrets.header}`,
    ]),
    await run(['mcp', 'add', 'three', server.url, '--auth-api-key', secrets.key, '--json']),
    await run(['mcp', 'add', 'four', server.url, '--auth-basic', `me:${secrets.basic}`, '--json']),
    await run(['mcp', 'add', 'five', `https://me:${secrets.userinfo}@127.0.0.1:1/mcp`]),
    await run(
      [
        'mcp',
        'add',
        'six',
        '--secret',
        'NOTE',
        '--secret-stdin',
        ...serverCommand('leaking-server.mjs', 'stdio'),
      ],
      `${secrets.typed}\n`,
    ),
  ]
  expect(added.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0])
  await run(['mcp', 'update', 'one', '-e', `OTHER_TOKEN=${secrets.second}`, '--json'])
  const list = join(lab.path, 'list.json')
  const imported = {
    a: { command: 'x', args: [`--token=${secrets.importedArgument}`], env: { A_TOKEN: secrets.imported } },
    b: {
      url: `https://127.0.0.1:1/?api_key=${secrets.importedQuery}`,
      headers: { Authorization: `Bearer ${secrets.importedHeader}` },
    },
  }
  await writeFile(list, JSON.stringify({ mcpServers: imported }))
  await run(['mcp', 'import', list, '--json'])
  expect((await run(['mcp', 'import', list, '--yes'])).code).toBe(0)
  // Error messages quote no values.
  expect((await run(['mcp', 'add', 'one', '-e', `API_TOKEN=${secrets.env}`, '--', 'x'])).code).toBe(1)
  await run(['mcp', 'add', 'seven', '-e', `API_TOKEN=${secrets.env}`, '--set', 'timeout=never', '--', 'x'])
  await run(['mcp', 'add', 'eight', '--set', `url=ftp://me:${secrets.userinfo}@127.0.0.1/`, '--', 'x'])
  await run([
    'mcp',
    'add',
    'nine',
    `${server.url}?token=${secrets.query}`,
    '--set',
    `args="--token=${secrets.equals}"`,
  ])
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'a', 'b'])
    await run(['mcp', 'test', name, '--json'])
  for (const name of ['one', 'two', 'three', 'four', 'six']) {
    // The command knows only what was given to this server.
    expect(
      (await run(['mcp', 'call', name, 'tell', `text=${name === 'one' ? secrets.env : 'x'}`])).code,
    ).toBe(0)
    await run(['mcp', 'call', name, 'fail'])
    await run(['mcp', 'tools', name, '--json'])
  }
  for (const name of ['one', 'two']) {
    for (const command of ['tools', 'resources', 'prompts']) await run(['mcp', command, name])
    for (const command of ['resources', 'prompts']) await run(['mcp', command, name, '--json'])
    await run(['mcp', 'test', name])
    await run(['mcp', 'tools', name, 'tell'])
    await run(['mcp', 'prompts', name, 'note', 'text=x'])
    await run(['mcp', 'read', name, 'note://one'])
    await run(['mcp', 'call', name, 'tell', '{}', '--json'])
  }
  for (const args of [['list'], ['list', '--json'], ['export'], ['export', '--format', 'ostler']])
    await run(['mcp', ...args])
  for (const args of [
    ['check'],
    ['check', '--json'],
    ['check', '--connect'],
    ['history', '--json'],
    ['history'],
  ])
    await run(args)
  for (const word of ['o', '']) await run(['__complete', 'mcp', 'test', word])
  expect(leaksIn(outputs, secrets)).toEqual([])
  expect(leaksIn(await filesOf(lab.stateDir), secrets)).toEqual([])

  // Only an explicit request reveals the secrets, which also shows that they were stored.
  const given = (await run(['mcp', 'export', '--with-secrets', '--format', 'ostler'])).stdout
  const missing = Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(dollars(secret))
      .concat(formsOf(secret))
      .some((form) => given.includes(form))
      ? []
      : [name],
  )
  expect(missing).toEqual([])
})

test('an error in the agent file or in the environment is reported without quoting values', async () => {
  await using lab = await openMcpLab()
  const secrets = {
    env: canary('env'),
    header: canary('header'),
    token: canary('token'),
    args: canary('args'),
    url: canary('url'),
    key: canary('key'),
    base: canary('base'),
    override: canary('override'),
    variable: canary('variable'),
  }
  const { run, outputs } = createRecorder(lab, {
    OSTLER_MCP_SERVERS__A__ENV: secrets.override,
    OSTLER_MCP_SERVERS__E__URL: `no://${secrets.variable}`,
  })
  const file = join(lab.path, 'ostler.json')
  const base = { mode: 'dynamic', defaultToolConfig: {} }
  const agentFile = {
    model: 'p/x',
    providers: { p: { type: 'openai', apiKey: [secrets.key], baseUrl: { a: secrets.base } } },
    mcpServers: {
      a: {
        ...base,
        type: 'stdio',
        command: 'x',
        env: `TOKEN=${secrets.env}`,
        args: `--token=${secrets.args}`,
      },
      b: {
        ...base,
        type: 'http',
        url: `ftp://me:${secrets.url}@127.0.0.1`,
        headers: `Authorization: ${secrets.header}`,
      },
      c: { ...base, type: 'http', url: 'https://example.com', auth: `Bearer ${secrets.token}` },
      d: { ...base, type: 'http', url: [`https://me:${secrets.url}@127.0.0.1`] },
      e: { ...base, type: 'http', url: 'https://example.com' },
    },
  }
  await writeFile(file, JSON.stringify(agentFile))
  for (const args of [
    ['check'],
    ['check', '--json'],
    ['check', '--connect'],
    ['acp', '--log-level', 'debug'],
    ['mcp', 'list'],
    ['grants', 'list'],
  ])
    expect((await run([...args, '--agent', file])).code, args.join(' ')).not.toBe(0)
  await writeFile(file, `${JSON.stringify(agentFile).slice(0, -1)}, "x": ${secrets.env}`)
  for (const args of [['check'], ['acp']]) await run([...args, '--agent', file])
  expect(leaksIn(outputs, secrets)).toEqual([])
})
