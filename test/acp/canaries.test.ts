import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAcpProcess, type AcpProcess, type AcpProcessOptions } from '../support/acp-harness.ts'
import { load } from '../support/acp-sessions.ts'
import { fixtureServer } from '../support/agent-files.ts'
import { canary, filesOf, leaksIn } from '../support/canaries.ts'
import { startLoopbackModel, type ModelRequest, type Reply } from '../support/loopback-model/index.ts'
import { startHttpFixture } from '../support/mcp-clients.ts'
import { descendantsOf, until } from '../support/processes.ts'
import { runCli } from '../support/run-cli.ts'
import { openTempDir } from '../support/temp-dir.ts'

/** A canary for each way in. The canaries of a server share its name. */
const secrets = {
  'file-env': canary('file-env', '/+"$x 1'),
  'file-number': `4${String(Math.random()).slice(2, 14).padEnd(12, '7')}`,
  'file-database': canary('file-database', "'s"),
  'file-argument-equals': canary('file-argument-equals'),
  'file-argument-apart': canary('file-argument-apart', '/+" '),
  'broken-env': canary('broken-env'),
  'bearer-token': canary('bearer-token'),
  'bearer-header': canary('bearer-header', '/+"'),
  'bearer-query': canary('bearer-query'),
  'key-key': canary('key-key', '/+"'),
  'basic-password': canary('basic-password', '/+"'),
  'refusing-header': canary('refusing-header'),
  'refusing-query': canary('refusing-query'),
  'userinfo-password': canary('userinfo-password'),
  'provider-key': canary('provider-key'),
  'provider-header': canary('provider-header'),
  'model-openai': canary('model-openai'),
  'model-google': canary('model-google'),
  'stored-env': canary('stored-env'),
  'stored-note': canary('stored-note', ' $ and more'),
  'stored-argument': canary('stored-argument'),
  'stored2-header': canary('stored2-header', ' $'),
  'stored2-bearer': canary('stored2-bearer'),
  'stored2-query': canary('stored2-query'),
  'session-env': canary('session-env', '/+"$x'),
  'session-argument': canary('session-argument'),
  'session2-header': canary('session2-header'),
  'session2-query': canary('session2-query'),
} as const

const dollars = (text: string) => text.replaceAll('$', '$$$$')
const leaking = fixtureServer('leaking-server.mjs')

test('no secret is revealed, however it entered and whoever repeats it', async () => {
  await using dir = await openTempDir()
  await using opened = new AsyncDisposableStack()
  const [bearer, key, basic, stored2, session2, refusing] = await Promise.all(
    ['http', 'http', 'http', 'http', 'http', 'refusing'].map(async (kind) =>
      opened.use(await startHttpFixture('leaking-server.mjs', kind)),
    ),
  )
  const model = opened.use(await startLoopbackModel({ vendor: 'anthropic', script: createScript() }))
  const places = {
    state: join(dir.path, 'state'),
    agent: join(dir.path, 'ostler.json'),
    log: join(dir.path, 'log'),
  }
  const server = (over: object) => ({ mode: 'dynamic', defaultToolConfig: {}, retryAttempts: 0, ...over })
  const stdio = (mode: string, args: readonly string[], env: object) =>
    server({ type: 'stdio', command: process.execPath, args: [leaking, mode, ...args], env })
  const http = (url: string, over: object = {}) => server({ type: 'http', url, ...over })
  const asBearer = (token: string) => ({ auth: { type: 'bearer', token } })
  const agentFile = {
    name: 'canaries',
    connectWait: '60s',
    model: 'mine/claude-sonnet-4-5',
    providers: {
      mine: {
        type: 'anthropic',
        baseUrl: `${model.url}/v1`,
        apiKey: secrets['provider-key'],
        headers: { 'X-Provider-Token': secrets['provider-header'] },
      },
    },
    mcpServers: {
      file: stdio(
        'stdio',
        [`--token=${secrets['file-argument-equals']}`, '--password', secrets['file-argument-apart']],
        {
          API_TOKEN: dollars(secrets['file-env']),
          API_PIN: secrets['file-number'],
          DATABASE: `postgres://me:${secrets['file-database']}@db/x`,
        },
      ),
      broken: stdio('broken', [], { API_TOKEN: secrets['broken-env'] }),
      bearer: http(`${bearer?.url}?api_key=${secrets['bearer-query']}`, {
        ...asBearer(secrets['bearer-token']),
        headers: { 'X-Api-Token': secrets['bearer-header'] },
      }),
      key: http(`${key?.url}`, { auth: { type: 'api-key', key: secrets['key-key'] } }),
      basic: http(`${basic?.url}`, {
        auth: { type: 'basic', username: 'me', password: secrets['basic-password'] },
      }),
      refusing: http(`${refusing?.url}?token=${secrets['refusing-query']}`, {
        headers: { 'X-Token': secrets['refusing-header'] },
      }),
      userinfo: http(`http://me:${secrets['userinfo-password']}@127.0.0.1:1/`),
    },
  }
  await writeFile(places.agent, JSON.stringify(agentFile))
  const env = {
    OPENAI_API_KEY: secrets['model-openai'],
    GEMINI_API_KEY: secrets['model-google'],
    OSTLER_SECRET_STORE: 'file',
    OSTLER_AGENT: places.agent,
  }
  const outputs: Record<string, string> = {}
  const cli = async (...args: readonly string[]) => {
    const at = args.includes('--') ? args.indexOf('--') : args.length
    const all = args.toSpliced(at, 0, '--state-dir', places.state)
    const { code, stdout, stderr } = await runCli(all, {
      env: { ...env, HOME: dir.path },
      cwd: dir.path,
    })
    outputs[`ostler ${args.slice(0, 3).join(' ')}`] = stdout + stderr
    expect(code, `${args.join(' ')}: ${stderr}`).not.toBe(2)
    return { code, stdout, stderr }
  }
  const noted = [
    '-e',
    `API_TOKEN=${secrets['stored-env']}`,
    '-e',
    `NOTE=${dollars(secrets['stored-note'])}`,
    '--secret',
    'NOTE',
  ]
  const started = ['--', process.execPath, leaking, 'stdio', `--token=${secrets['stored-argument']}`]
  const sent = [
    '--auth-bearer',
    secrets['stored2-bearer'],
    '-H',
    `X-Note: ${dollars(secrets['stored2-header'])}`,
    '--secret',
    'X-Note',
  ]
  const added = [
    await cli('mcp', 'add', 'stored', ...noted, ...started),
    await cli('mcp', 'add', 'stored2', `${stored2?.url}?key=${secrets['stored2-query']}`, ...sent),
  ]
  expect(added).toMatchObject([{ code: 0 }, { code: 0 }])

  const open = (more: AcpProcessOptions = {}) =>
    openAcpProcess({
      ...more,
      args: [
        '--agent',
        places.agent,
        '--state-dir',
        places.state,
        '--log-level',
        'debug',
        '--log-file',
        places.log,
      ],
      env,
      capabilities: { session: { notices: {} }, elicitation: { form: {}, url: {} } },
      handlers: { 'elicitation/create': () => ({ action: 'accept', content: { text: 'an answer' } }) },
    })
  const mcpServers = [
    {
      name: 'session',
      command: process.execPath,
      args: [leaking, 'stdio', `--api-key=${secrets['session-argument']}`],
      env: [{ name: 'SESSION_SECRET', value: secrets['session-env'] }],
    },
    {
      name: 'session2',
      type: 'http',
      url: `${session2?.url}?token=${secrets['session2-query']}`,
      headers: [{ name: 'X-Session-Token', value: secrets['session2-header'] }],
    },
  ]
  const wire = (editor: AcpProcess) =>
    editor.transcript.flatMap(({ direction, line }) => (direction === 'received' ? [line] : [])).join('\n')

  const { sessionId, asked } = await (async () => {
    await using editor = await open()
    await editor.initialize()
    const { sessionId } = await editor.newSession({ cwd: dir.path, mcpServers })
    await editor.prompt(sessionId, 'go')
    await editor.prompt(sessionId, '/mcp')
    for (const name of ['file:note', 'session:note'])
      await editor.prompt(sessionId, `/${name} x`).catch(() => undefined)
    await editor.prompt(sessionId, 'fail').catch(() => undefined)
    await editor.prompt(sessionId, `say it again`)
    await checkEnvironments(editor)
    await editor
      .request('session/new', { cwd: secrets['file-env'], mcpServers: secrets['file-env'] })
      .catch(() => undefined)
    outputs['the files while it runs'] = JSON.stringify(await filesOf(places.state))
    editor.closeInput()
    await editor.exit
    outputs['stdout'] = wire(editor)
    outputs['stderr'] = editor.stderr()
    return { sessionId, asked: editor.permissionRequests() }
  })()
  // Every server was asked about, and the question showed its arguments.
  expect(asked.length).toBeGreaterThanOrEqual(20)
  outputs['permission texts'] = JSON.stringify(asked)

  {
    await using editor = await open()
    await editor.initialize()
    await editor.request('session/list', {})
    const { updates } = await load(editor, { sessionId, cwd: dir.path })
    expect(updates.length).toBeGreaterThan(40)
    editor.closeInput()
    await editor.exit
    outputs['stdout of the second process'] = wire(editor)
    outputs['stderr of the second process'] = editor.stderr()
  }

  const { stdout } = await cli('history', '--json')
  const { calls } = JSON.parse(stdout) as { calls: readonly { id: string; status: string }[] }
  expect(calls.filter(({ status }) => status === 'success').length).toBeGreaterThanOrEqual(10)
  await cli('history')
  for (const { id } of calls.slice(0, 3)) await cli('history', 'show', id)
  await cli('sessions', 'show', sessionId)
  await cli('sessions', 'show', '--json', sessionId)
  await cli('sessions', 'export', sessionId)
  await cli('sessions', 'list')
  await cli('mcp', 'list')
  await cli('mcp', 'list', '--json')
  for (const name of ['file', 'broken', 'bearer', 'refusing', 'userinfo', 'stored', 'stored2'])
    await cli('mcp', 'test', name)
  for (const name of ['file', 'stored', 'stored2']) {
    await cli('mcp', 'tools', name)
    await cli('mcp', 'call', name, 'tell')
    await cli('mcp', 'call', name, 'fail')
    await cli('mcp', 'resources', name)
    await cli('mcp', 'read', name, 'note://one')
    await cli('mcp', 'prompts', name)
  }
  await cli('mcp', 'export')
  await cli('mcp', 'export', '--format', 'ostler')
  await cli('check')
  await cli('check', '--connect', '--json')
  await cli('grants', 'list')
  outputs['log file'] = await readFile(places.log, 'utf8')
  Object.assign(outputs, await filesOf(places.state))
  expect(Object.keys(outputs).length).toBeGreaterThan(30)
  expect(leaksIn(outputs, secrets)).toEqual([])
  // The model's own output is excluded.
  const { 'file-env': _, ...unsaid } = secrets
  expect(leaksIn({ model: JSON.stringify(model.requests.map(({ body }) => body)) }, unsaid)).toEqual([])
})

/** A child receives its own variables, and nothing of the models or other servers. */
async function checkEnvironments(editor: AcpProcess): Promise<void> {
  const environments = await until('the servers', async () => {
    const pids = await descendantsOf(editor.pid)
    const found = await Promise.all(
      pids.map(async (pid) => {
        const [environment = '', command = ''] = await Promise.all(
          ['environ', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
        )
        // A process that is just starting is still Ostler, and so is the helper that starts servers.
        return command.includes(leaking) ? [environment] : []
      }),
    ).then((each) => each.flat())
    return found.length >= 3 && found
  })
  for (const environment of environments) {
    const own = Object.entries(secrets).flatMap(([name, value]) =>
      environment.includes(value) ? [name.split('-')[0]] : [],
    )
    expect(new Set(own).size, own.join()).toBeLessThanOrEqual(1)
    expect(own).not.toContain('model')
    expect(own).not.toContain('provider')
    expect(environment).not.toMatch(/OPENAI|GEMINI|OSTLER_(?!SERVER=)/)
  }
}

/** A model that repeats a secret wherever it can: in arguments, in text, split in two, and in an error. */
function createScript(): (request: ModelRequest) => Reply {
  const said = secrets['file-env']
  return ({ system, tools, messages }) => {
    if (system.startsWith('sampling')) return { text: 'sampled' }
    const last = messages.at(-1)
    const prompt = messages.findLast(
      ({ role, parts }) => role === 'user' && parts.some(({ type }) => type === 'text'),
    )
    const text = prompt?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('') ?? ''
    if (text === 'fail')
      return {
        status: 400,
        errorMessage: `The key ${secrets['provider-key']} with ${secrets['provider-header']} is bad`,
      }
    const isAnswer = last?.parts.some(({ type }) => type === 'tool_result') === true
    if (text === 'go' && !isAnswer) {
      const wanted = tools.filter(({ name }) => /__(?:tell|fail|ask)$/.test(name))
      return {
        toolCalls: wanted.map(({ name }) => ({
          name,
          args: { text: `${'x'.repeat(30)} ${said}`, [said]: 1 },
        })),
      }
    }
    const half = Math.floor(said.length / 2)
    return {
      thoughts: `I think of ${said}`,
      text: [
        'It is ',
        said.slice(0, half),
        said.slice(half),
        '. Or ',
        ...said,
        '. ',
        `{"text":${JSON.stringify(said)}}`,
        ' That is it.',
      ],
    }
  }
}
