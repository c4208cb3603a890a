import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test, type TestContext } from 'vitest'
import { createStoredState } from '@ostler/agent-api/internal'
import { neverAnswer, selectPermission, type AcpInProcess } from '../support/acp-harness.ts'
import { entryOf, openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import { fixturePath } from '../support/http-fixture.ts'
import { lastResult } from '../support/last-result.ts'
import { textOf } from '../support/loopback-model/script.ts'
import { until } from '../support/processes.ts'
import { openConsole } from '../console/console-process.ts'

const sums = fixturePath('sum-server.mjs')
const hasPython = spawnSync('python3', ['--version']).status === 0

interface Launcher {
  readonly name: string
  readonly server: object
  /** Relative to the project. */
  readonly files: Readonly<Record<string, string>>
  readonly shown: string
}

/** Each notes that it ran, and in which folder, and goes on as a server. */
const ranIn = 'ran-in'
const noteInNode = `#!/usr/bin/env node
import { writeFileSync } from 'node:fs'
writeFileSync(process.env.NOTE, process.cwd())
await import(${JSON.stringify(sums)})
`
const noteInPython = `import os
open(os.environ['NOTE'], 'w').write(os.getcwd())
os.execvp(${JSON.stringify(process.execPath)}, ['node', ${JSON.stringify(sums)}])
`

const npx: Launcher = {
  name: 'npx',
  server: { command: 'npx', args: ['-y', 'mcp-fake'] },
  files: {
    'package.json': '{"dependencies":{"mcp-fake":"1"}}',
    'node_modules/mcp-fake/package.json': '{"name":"mcp-fake","version":"1.0.0","bin":{"mcp-fake":"i.mjs"}}',
    'node_modules/mcp-fake/i.mjs': noteInNode,
  },
  shown: 'node_modules/mcp-fake/i.mjs',
}
const python: Launcher = {
  name: 'python3 -m',
  server: { command: 'python3', args: ['-m', 'mcp_fake'] },
  files: { 'mcp_fake/__main__.py': noteInPython },
  shown: 'mcp_fake/__main__.py',
}
const pythonModule: Launcher = {
  name: 'python3 -m with a file',
  server: python.server,
  files: { 'mcp_fake.py': noteInPython },
  shown: 'mcp_fake.py',
}
const nodeFile: Launcher = {
  name: 'node FILE',
  server: { command: process.execPath, args: ['server.mjs'] },
  files: { 'server.mjs': noteInNode },
  shown: 'server.mjs',
}

async function layProject(lab: AgentLab, files: Launcher['files']): Promise<string> {
  const project = join(lab.path, 'project')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), text)
    await chmod(join(project, path), 0o755)
  }
  if (existsSync(join(project, 'node_modules'))) {
    await mkdir(join(project, 'node_modules/.bin'), { recursive: true })
    await symlink('../mcp-fake/i.mjs', join(project, 'node_modules/.bin/mcp-fake'))
  }
  return project
}

/** npm asks no registry. */
const quietNpm = { npm_config_update_notifier: 'false', npm_config_offline: 'true' }

function toAcpServer(lab: AgentLab, server: object, env: Readonly<Record<string, string>> = {}) {
  const all = { ...quietNpm, NOTE: join(lab.path, ranIn), ...env }
  return { name: 'fake', ...server, env: Object.entries(all).map(([name, value]) => ({ name, value })) }
}

async function openProject(lab: AgentLab, server: object, options: Parameters<AgentLab['open']>[0] = {}) {
  const editor = await lab.open({ capabilities: { session: { notices: {} } }, ...options })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: join(lab.path, 'project'), mcpServers: [server] })
  return { editor, sessionId }
}

const noteOf = (lab: AgentLab) => readFile(join(lab.path, ranIn), 'utf8').catch(() => undefined)
const notices = ({ transcript }: AcpInProcess) => transcript.map(({ line }) => line).join('\n')
const hasTool = async (lab: AgentLab, editor: Pick<AcpInProcess, 'prompt'>, sessionId: string) => {
  await editor.prompt(sessionId, 'hello')
  return lab.model.requests.at(-1)?.tools.some(({ name }) => name === 'fake__add') === true
}

const statusesOf = (editor: AcpInProcess, sessionId: string) =>
  editor
    .updates(sessionId)
    .flatMap((update) => (update.sessionUpdate === 'tool_call_update' ? [update.status] : []))

function needsPython({ name }: Launcher, { skip }: TestContext): void {
  if (name.startsWith('python3') && !hasPython) skip('this machine has no python3')
}

test('a program in the folder of a session does not start before a yes, which is remembered for this folder, command and file', async () => {
  const launcher = nodeFile
  await using lab = await openAgentLab()
  await lab.writeAgentFile({ approval: { mode: 'auto' } })
  const project = await layProject(lab, launcher.files)
  const server = toAcpServer(lab, launcher.server)
  {
    // The session opens, and prompts are answered, while the question is open.
    const { editor, sessionId } = await openProject(lab, server, { onPermission: () => neverAnswer })
    await using _ = editor
    await until('the question', () => editor.permissionRequests().length > 0)
    const [asked] = editor.permissionRequests()
    expect(asked?.toolCall.title).toBe('Start the MCP server "fake" with files of this folder')
    const text = JSON.stringify(asked?.toolCall.content)
    expect(text).toContain(join(project, launcher.shown))
    expect(text).toContain(project)
    for (const word of Object.values(launcher.server).flat()) expect(text).toContain(word)
    expect(await hasTool(lab, editor, sessionId)).toBe(false)
    expect(notices(editor)).toContain(
      'not started: it waits for your yes, because files of this folder decide what its command runs: - ',
    )
    expect(text).toContain('These files decide what the command runs:')
  }
  {
    const { editor, sessionId } = await openProject(lab, server, {
      onPermission: selectPermission('reject_once'),
    })
    await using _ = editor
    await until('the end of the question', () =>
      editor
        .updates(sessionId)
        .some((update) => update.sessionUpdate === 'tool_call_update' && update.status === 'failed'),
    )
    expect(await hasTool(lab, editor, sessionId)).toBe(false)
    // Not even a call or a new attempt asks again in this session.
    expect(editor.permissionRequests()).toHaveLength(1)
  }
  expect(await noteOf(lab)).toBeUndefined()
  {
    const allow = ({ options }: { options: readonly { optionId: string }[] }) => {
      const optionId = options.find((option) => option.optionId === 'allow-always')?.optionId
      return { outcome: { outcome: 'selected', optionId } }
    }
    const { editor, sessionId } = await openProject(lab, server, { onPermission: allow })
    await using _ = editor
    await until('the tool', () => hasTool(lab, editor, sessionId))
    expect(editor.updates(sessionId)).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'completed' }),
    )
    expect(await noteOf(lab)).toBe(project)
  }
  const refuse = { onPermission: selectPermission('reject_once') }
  {
    const { editor, sessionId } = await openProject(lab, server, refuse)
    await using _ = editor
    await until('the tool', () => hasTool(lab, editor, sessionId))
    expect(editor.permissionRequests()).toEqual([])
  }
  // The same folder and command, with another file.
  const file = join(project, launcher.shown)
  await writeFile(`${file}.new`, 'throw new Error()')
  await rm(file)
  await symlink(`${file}.new`, file)
  const { editor } = await openProject(lab, server, refuse)
  await using _ = editor
  await until('another question', () => editor.permissionRequests().length > 0)
  expect(JSON.stringify(editor.permissionRequests()[0]?.toolCall.content)).toContain(`${file}.new`)
  using history = createStoredState({ stateDir: join(lab.path, 'state') })
  const starts = history.calls.list({ limit: 9, tool: 'start' })
  const allowed = expect.objectContaining({ rule: 'person:allow-always', waitedMs: expect.any(Number) })
  expect(starts).toEqual(
    expect.arrayContaining([allowed, expect.objectContaining({ rule: 'person:deny-once' })]),
  )
})

test.for([npx, python, pythonModule])(
  '$name whose program is in the folder of a session starts there after a yes',
  async (launcher, context) => {
    needsPython(launcher, context)
    await using lab = await openAgentLab()
    await lab.writeAgentFile({ approval: { mode: 'auto' } })
    const project = await layProject(lab, launcher.files)
    const ranBefore: (string | undefined)[] = []
    const { editor, sessionId } = await openProject(lab, toAcpServer(lab, launcher.server), {
      onPermission: async (request) => {
        ranBefore.push(await noteOf(lab))
        return selectPermission('allow_once')(request)
      },
    })
    await using _ = editor
    await until('the tool', () => hasTool(lab, editor, sessionId))
    const text = JSON.stringify(editor.permissionRequests().map(({ toolCall }) => toolCall))
    expect(text).toContain(join(project, launcher.shown))
    for (const word of Object.values(launcher.server).flat()) expect(text).toContain(word)
    expect(ranBefore).toEqual([undefined])
    expect(await noteOf(lab)).toBe(project)
  },
)

test.for([npx, python, pythonModule, nodeFile])(
  '$name whose program is in the folder of a session does not start if nobody can be asked',
  async (launcher, context) => {
    needsPython(launcher, context)
    await using lab = await openAgentLab()
    await lab.writeAgentFile({})
    const project = await layProject(lab, launcher.files)
    const silent = () => undefined
    await using agent = await lab.openAgent({ error: silent, warn: silent, info: silent, debug: silent })
    const env = { ...quietNpm, NOTE: join(lab.path, ranIn) }
    const config = {
      type: 'stdio',
      name: 'fake',
      ...(launcher.server as { command: string; args: string[] }),
      env,
    } as const
    const session = agent.createSession({ cwd: project, sessionMcpServers: [config] })
    await session.serversSettled
    expect(session.serverReport().failed).toEqual([
      { server: 'fake', reason: expect.stringContaining('nobody can be asked') },
    ])
    expect(await noteOf(lab)).toBeUndefined()
  },
)

test('a known server is asked about when its session opens, and starts with a call, which waits for the yes', async () => {
  await using lab = await openAgentLab(({ messages }) =>
    textOf(messages.at(-1)) === 'add'
      ? { toolCalls: [{ name: 'fake__add', args: { a: 1, b: 2 } }] }
      : { text: 'ok' },
  )
  await lab.writeAgentFile({ approval: { mode: 'auto' } })
  await layProject(lab, nodeFile.files)
  const server = toAcpServer(lab, nodeFile.server)
  {
    const { editor, sessionId } = await openProject(lab, server, {
      onPermission: selectPermission('allow_once'),
    })
    await using _ = editor
    await until('the tool', () => hasTool(lab, editor, sessionId))
  }
  await rm(join(lab.path, ranIn))
  const answer = Promise.withResolvers<void>()
  const { editor, sessionId } = await openProject(lab, server, {
    onPermission: (request) => answer.promise.then(() => selectPermission('allow_once')(request)),
  })
  await using _ = editor
  await until('the question', () => editor.permissionRequests().length > 0)
  const ended = editor.prompt(sessionId, 'add')
  await editor.waitForUpdate(sessionId, 'tool_call', ({ title }) => title.includes('add'))
  expect(await noteOf(lab)).toBeUndefined()
  answer.resolve()
  expect(await ended).toEqual({ stopReason: 'end_turn' })
  expect(lastResult(lab.model.requests.at(-1))).toBe('3')
  expect(editor.permissionRequests()).toHaveLength(1)

  const { sessionId: next } = await editor.newSession({
    cwd: join(lab.path, 'project'),
    mcpServers: [server],
  })
  await until('the next yes', () => statusesOf(editor, next).includes('completed'))
  await until('the server to sleep', async () => {
    await editor.prompt(next, '/mcp')
    return /\*\*fake\*\*: asleep, 1 tool \(\d+ tokens\) known; the first call starts it$/.test(
      editor.text(next),
    )
  })
})

test('servers of the agent file start in the home directory, wherever the editor starts Ostler', async () => {
  await using lab = await openAgentLab()
  const project = await layProject(lab, nodeFile.files)
  await writeFile(join(lab.path, 'server.mjs'), noteInNode)
  const env = { NOTE: join(lab.path, ranIn) }
  await lab.writeAgentFile({ mcpServers: { fake: entryOf(lab, 'fake', { ...nodeFile.server, env }) } })
  await using editor = await lab.start({ cwd: project, env: { HOME: lab.path } })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: project, mcpServers: [] })
  await until('the tool', () => hasTool(lab, editor, sessionId))
  expect(await noteOf(lab)).toBe(lab.path)
})

test('an answer in the console counts, a yes for once lasts for the session, and a no until the person reconnects the server', async () => {
  await using lab = await openAgentLab()
  await lab.writeAgentFile({})
  const project = await layProject(lab, nodeFile.files)
  const answers = [selectPermission('reject_once'), () => neverAnswer]
  const { editor, sessionId } = await openProject(lab, toAcpServer(lab, nodeFile.server), {
    onPermission: (request) => answers.shift()?.(request) ?? neverAnswer,
  })
  await using _ = editor
  await until('the answer', () => statusesOf(editor, sessionId).includes('failed'))
  await editor.prompt(sessionId, '/mcp reconnect fake')
  await until('the next question', () => editor.permissionRequests().length === 2)
  await using console = await openConsole({
    args: ['--agent', join(lab.path, 'ostler.json')],
    stateDir: join(lab.path, 'state'),
    env: lab.model.env,
  })
  const { questions } = (await console.ask('GET', '/api/questions')).json
  expect(questions).toMatchObject([
    { body: { plan: { sensitive: [join(project, 'server.mjs')], command: { cwd: project } } } },
  ])
  expect(
    (await console.ask('POST', `/api/questions/${questions[0].id}/answer`, { choice: 'allow-once' })).status,
  ).toBe(200)
  await until('the tool', () => hasTool(lab, editor, sessionId))
  expect(statusesOf(editor, sessionId)).toEqual(['failed', 'completed'])
  await editor.prompt(sessionId, '/mcp reconnect fake')
  expect(await hasTool(lab, editor, sessionId)).toBe(true)
  expect(editor.permissionRequests()).toHaveLength(2)
  using history = createStoredState({ stateDir: join(lab.path, 'state') })
  expect(history.servers.grants('default').list()).toEqual([])
})

test('an entry of the agent file says where its server starts', async () => {
  await using lab = await openAgentLab()
  const project = await layProject(lab, nodeFile.files)
  const entry = entryOf(lab, 'fake', { ...nodeFile.server, env: { NOTE: join(lab.path, ranIn) } })
  await lab.writeAgentFile({ mcpServers: { fake: { ...entry, cwd: project } } })
  const { editor, sessionId } = await openProject(
    lab,
    toAcpServer(lab, { command: process.execPath, args: [sums], name: 'other' }),
  )
  await using _ = editor
  await until('the tool', () => hasTool(lab, editor, sessionId))
  expect(await noteOf(lab)).toBe(project)
})

test('real npx is given an empty folder where no file of the project decides', async () => {
  await using lab = await openAgentLab()
  await lab.writeAgentFile({})
  await layProject(lab, { 'README.md': '' })
  const other = join(lab.path, 'other')
  await mkdir(other)
  await writeFile(
    join(other, 'package.json'),
    '{"name":"mcp-fake","version":"1.0.0","bin":{"mcp-fake":"i.mjs"}}',
  )
  const note = noteInNode.replace('process.cwd()', 'process.env.npm_config_local_prefix')
  await writeFile(join(other, 'i.mjs'), note, { mode: 0o755 })
  const { editor, sessionId } = await openProject(
    lab,
    toAcpServer(lab, { command: 'npx', args: ['-y', other] }, { HOME: lab.path }),
  )
  await using _ = editor
  await until('the tool', () => hasTool(lab, editor, sessionId))
  expect(await noteOf(lab)).toBe(join(lab.path, 'state/empty'))
})

test('real python3 takes no module of the folder where its program is another one', async ({ skip }) => {
  const version = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 11))'], {
    encoding: 'utf8',
  })
  if (version.stdout?.trim() !== 'True') skip('this machine has no python3 that knows PYTHONSAFEPATH')
  await using lab = await openAgentLab()
  await lab.writeAgentFile({})
  const trap = join(lab.path, 'trap')
  await layProject(lab, { 'wave.py': `open(${JSON.stringify(trap)}, 'w')` })
  await mkdir(join(lab.path, 'installed'))
  await writeFile(join(lab.path, 'installed/mcp_fake.py'), `import wave\n${noteInPython}`)
  const server = toAcpServer(lab, python.server, { PYTHONPATH: join(lab.path, 'installed') })
  const { editor, sessionId } = await openProject(lab, server)
  await using _ = editor
  await until('the tool', () => hasTool(lab, editor, sessionId))
  expect(existsSync(trap)).toBe(false)
})
