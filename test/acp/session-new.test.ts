import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAcpInProcess, openAcpProcess, type AcpInProcess } from '../support/acp-harness.ts'
import { sumServer } from '../support/acp-scripted.ts'
import { startLoopbackModel, type LoopbackModel } from '../support/loopback-model/index.ts'
import { descendantsOf, survivorsAfter, until } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'

const notices = { session: { notices: {} } }

async function openInitialized(capabilities = {}, model?: LoopbackModel): Promise<AcpInProcess> {
  const editor = openAcpInProcess({
    capabilities,
    ...(model && { agent: { model: model.modelId, env: model.env } }),
  })
  await editor.initialize()
  return editor
}

test('a session has its own id, and its modes and config options agree', async () => {
  await using editor = await openInitialized()
  const first = await editor.newSession({ cwd: '/' })
  const second = await editor.newSession({ cwd: '/' })
  expect(first.sessionId).not.toBe(second.sessionId)
  expect(first.modes?.currentModeId).toBe('always-ask')
  expect(first.configOptions?.map(({ id, category, type }) => [id, category, type])).toEqual([
    ['mode', 'mode', 'select'],
    ['model', 'model', 'select'],
  ])
  expect(first.configOptions?.[0]).toMatchObject({ currentValue: 'always-ask' })
  expect(first.configOptions?.[1]).toMatchObject({ currentValue: 'offline' })
})

test('the commands follow the answer and never precede it', async () => {
  await using editor = await openInitialized()
  const { sessionId } = await editor.newSession({ cwd: '/' })
  const { availableCommands } = await editor.waitForUpdate(sessionId, 'available_commands_update')
  expect(availableCommands.map(({ name }) => name)).toContain('mcp')
  const first = editor.received().findIndex(({ params }) => JSON.stringify(params ?? '').includes(sessionId))
  const answer = editor.received().findIndex(({ result }) => JSON.stringify(result ?? '').includes(sessionId))
  expect(answer).toBeLessThan(first)
})

test('a directory that is not one is refused by the name of its field', async () => {
  await using editor = await openInitialized()
  await using dir = await openTempDir()
  const file = join(dir.path, 'file')
  await writeFile(file, '')
  const refused = (params: object, field: string) =>
    expect(editor.request('session/new', { mcpServers: [], ...params })).rejects.toMatchObject({
      code: -32602,
      data: { field },
    })
  await refused({}, 'cwd')
  await refused({ cwd: null }, 'cwd')
  await refused({ cwd: 'relative' }, 'cwd')
  await refused({ cwd: join(dir.path, 'missing') }, 'cwd')
  await refused({ cwd: file }, 'cwd')
  await refused({ cwd: '/tmp\0' }, 'cwd')
  await refused({ cwd: '/', additionalDirectories: 'no' }, 'additionalDirectories')
  await refused({ cwd: '/', additionalDirectories: ['/tmp', '../x'] }, 'additionalDirectories[1]')
  await refused(
    { cwd: '/', additionalDirectories: [dir.path, join(dir.path, 'missing')] },
    'additionalDirectories[1]',
  )
  await refused({ cwd: '/', additionalDirectories: [file] }, 'additionalDirectories[0]')
  await refused({ cwd: '/', mcpServers: { files: {} } }, 'mcpServers')
})

test('mcpServers may be missing or null', async () => {
  await using editor = await openInitialized()
  expect(await editor.request('session/new', { cwd: '/' })).toHaveProperty('sessionId')
  expect(await editor.request('session/new', { cwd: '/', mcpServers: null })).toHaveProperty('sessionId')
})

test('an invalid entry does not affect the others, and the editor is told once which one and why', async () => {
  await using dir = await openTempDir()
  await using editor = await openInitialized(notices)
  const secret = 'canary-77aa01'
  const { sessionId } = await editor.newSession({
    cwd: dir.path,
    mcpServers: [
      sumServer(),
      { ...sumServer('map'), env: { KEY: 'value' } },
      { name: 'bare', command: 'false' },
      sumServer(),
      { name: '', command: 'x', args: [], env: [] },
      { name: 'socket', type: 'websocket', url: `wss://x/${secret}` },
      {
        name: 'header',
        type: 'http',
        url: 'http://127.0.0.1:1/',
        headers: [{ name: 'Authorization', value: `Bearer\r\nX: ${secret}` }],
      },
      { name: 'missing', command: '/no/such/program', args: [], env: [] },
      null,
      secret,
    ],
  })
  const notice = await editor.waitForUpdate(sessionId, 'notice')
  expect(notice.severity).toBe('warning')
  const lines = String(notice.description).split('\n')
  for (const name of ['sums (#4)', '#5', 'socket', 'header', 'bare', 'missing', '#9', '#10']) {
    expect(lines.filter((line) => line.startsWith(`${name}: `))).toHaveLength(1)
  }
  expect(notice.description).not.toContain('"map"')
  await editor.prompt(sessionId, '/mcp')
  expect(editor.text(sessionId)).toMatch(/\*\*sums\*\*: connected/)
  expect(editor.text(sessionId)).toMatch(/\*\*map\*\*: connected/)
  expect(JSON.stringify(editor.received()) + JSON.stringify(editor.log)).not.toContain(secret)
  expect(editor.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate === 'notice')).toHaveLength(1)
  const logged = (level: string) =>
    editor.log.flatMap((line) =>
      line.level === level && line.message.startsWith('MCP server "') ? [line.message] : [],
    )
  expect(logged('warn').filter((line) => line.includes('cannot be used'))).toHaveLength(6)
  expect(logged('info')).toEqual([
    expect.stringContaining('"map": its "env" is a map'),
    expect.stringContaining('"bare": its "args" is missing'),
    expect.stringContaining('"bare": its "env" is missing'),
  ])
})

test('without notices the report is a separate message in the first turn, and only there', async () => {
  await using dir = await openTempDir()
  await using model = await startLoopbackModel({ vendor: 'anthropic', script: () => ({ text: 'hi' }) })
  await using editor = await openInitialized({}, model)
  const mcpServers = [sumServer(), { name: 'missing', command: '/no/such/program', args: [], env: [] }]
  const { sessionId } = await editor.newSession({ cwd: dir.path, mcpServers })
  await editor.prompt(sessionId, 'hello')
  await editor.prompt(sessionId, 'hello again')
  const messages = editor
    .updates(sessionId)
    .filter((update) => update.sessionUpdate === 'agent_message_chunk')
  const reports = messages.filter(
    ({ content }) => content.type === 'text' && content.text.includes('"missing" is not available'),
  )
  expect(reports).toHaveLength(1)
  expect(messages.filter(({ messageId }) => messageId === reports[0]?.messageId)).toHaveLength(1)
  expect(editor.updates(sessionId).some(({ sessionUpdate }) => sessionUpdate === 'notice')).toBe(false)
})

test('servers start in cwd, even when the process runs in another folder, and end with the session', async () => {
  await using dir = await openTempDir()
  await mkdir(join(dir.path, 'work'))
  const script = join(dir.path, 'server.mjs')
  const [sumScript] = sumServer().args
  await writeFile(
    script,
    `import { writeFileSync } from 'node:fs'; writeFileSync('where', process.cwd()); await import(${JSON.stringify(sumScript)})`,
  )
  await using model = await startLoopbackModel({ vendor: 'anthropic', script: () => ({ text: 'hi' }) })
  await using editor = await openAcpProcess({ args: ['--model', model.modelId], env: model.env })
  await editor.initialize()
  const cwd = join(dir.path, 'work')
  const { sessionId } = await editor.newSession({
    cwd,
    mcpServers: [{ ...sumServer(), args: [script] }],
  })
  await editor.prompt(sessionId, 'hello')
  expect(model.requests[0]?.tools.map(({ name }) => name)).toContain('sums__add')
  expect(await readFile(join(cwd, 'where'), 'utf8')).toBe(cwd)
  const servers = await descendantsOf(editor.pid)
  expect(servers.length).toBeGreaterThan(0)
  expect(await editor.request('session/close', { sessionId })).toEqual({})
  // The watchdog belongs to the process, not to the session.
  await until('the servers to end', async () => (await descendantsOf(editor.pid)).length < servers.length)
  editor.closeInput()
  expect(await editor.exit).toEqual({ code: 0, signal: null })
  expect(await survivorsAfter(servers, 5_000)).toEqual([])
  expect(editor.stderr()).toBe('')
})

test('close is idempotent for a session that existed, and delete accepts any id', async () => {
  await using editor = await openInitialized()
  const { sessionId } = await editor.newSession({ cwd: '/' })
  const both = [
    editor.request('session/close', { sessionId }),
    editor.request('session/close', { sessionId }),
  ]
  expect(await Promise.all(both)).toEqual([{}, {}])
  expect(await editor.request('session/close', { sessionId })).toEqual({})
  expect(await editor.request('session/delete', { sessionId })).toEqual({})
  expect(await editor.request('session/delete', { sessionId: 'never was' })).toEqual({})
  await expect(editor.prompt(sessionId, 'hi')).rejects.toMatchObject({ code: -32002, data: { sessionId } })
})
