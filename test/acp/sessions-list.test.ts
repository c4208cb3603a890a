import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ListSessionsResponse } from '@agentclientprotocol/sdk'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AcpPeer } from '../support/acp-harness.ts'
import { listAll, load, openSessionLab, resume } from '../support/acp-sessions.ts'
import { newSession } from '../support/history-lab.ts'

test('a session is listed once the model was asked something, by its first words', async () => {
  await using lab = await openSessionLab()
  await using editor = await lab.open()
  expect(await editor.request('session/list', {})).toEqual({ sessions: [] })
  expect(await editor.request('session/list')).toEqual({ sessions: [] })
  const { sessionId } = await editor.newSession({ cwd: lab.path, additionalDirectories: ['/tmp'] })
  // A prompt that Ostler answers itself is not a conversation.
  await editor.prompt(sessionId, '/tools')
  await editor.prompt(sessionId, '/nope')
  expect(await listAll(editor)).toEqual([])
  await editor.prompt(sessionId, '  What is\n the   weather like? ')
  const [used, ...others] = await listAll(editor)
  expect(others).toEqual([])
  expect(used).toEqual({
    sessionId,
    cwd: lab.path,
    additionalDirectories: ['/tmp'],
    title: 'What is the weather like?',
    updatedAt: expect.any(String),
  })
  expect(new Date(used?.updatedAt ?? '').toISOString()).toBe(used?.updatedAt)
})

test('the title is sent once, in the first turn, and stays', async () => {
  await using lab = await openSessionLab()
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'first words')
  const titles = () =>
    editor.updates(sessionId).filter((update) => update.sessionUpdate === 'session_info_update')
  // Everything before the response has arrived.
  expect(titles()).toEqual([
    { sessionUpdate: 'session_info_update', title: 'first words', updatedAt: expect.any(String) },
  ])
  await editor.prompt(sessionId, 'other words')
  expect(titles()).toHaveLength(1)
  expect(await listAll(editor)).toMatchObject([{ title: 'first words' }])
})

test('a prompt rejected for its key leaves no lasting title', async () => {
  let isRefused = true
  await using lab = await openSessionLab(() => (isRefused ? { status: 401 } : { text: 'hello' }))
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await expect(editor.prompt(sessionId, 'too early')).rejects.toMatchObject({ code: -32000 })
  // The response has arrived, so the editor has the final title.
  const titles = editor
    .updates(sessionId)
    .flatMap((update) => (update.sessionUpdate === 'session_info_update' ? [update.title] : []))
  expect(titles.at(-1) ?? null).toBeNull()
  expect(await listAll(editor)).toEqual([])
  isRefused = false
  await editor.prompt(sessionId, 'now it works')
  expect(await listAll(editor)).toMatchObject([{ title: 'now it works' }])
  const { updates } = await load(editor, { sessionId, cwd: lab.path })
  expect(JSON.stringify(updates)).not.toContain('too early')
})

test('pages of fifty, most recently used first, and every session once', async () => {
  await using lab = await openSessionLab()
  await using editor = await lab.open()
  const ids: string[] = []
  const openUntil = async (count: number) => {
    while (ids.length < count) {
      const { session } = lab.history.sessions.log(newSession(`session-${ids.length}`, { cwd: lab.path }), {
        isStored: false,
      })
      ids.push(session.id)
    }
    await lab.history.journal.flushed()
  }
  const use = async (sessionId = '') => {
    await resume(editor, { sessionId, cwd: lab.path })
    await editor.prompt(sessionId, 'used again')
  }
  // A page that is both full and last has no cursor.
  await openUntil(50)
  const full = await editor.request<ListSessionsResponse>('session/list', {})
  expect([full.sessions.length, full.nextCursor]).toEqual([50, undefined])
  await openUntil(120)
  await use(ids[7])
  const first = await editor.request<ListSessionsResponse>('session/list', {
    unknown: 1,
    _meta: {},
    cursor: null,
    cwd: null,
  })
  expect(first.sessions).toHaveLength(50)
  expect(first.sessions[0]?.sessionId).toBe(ids[7])
  // A session that is used while the list is being paged is not shown twice.
  await use(first.sessions[20]?.sessionId)
  const second = await editor.request<ListSessionsResponse>('session/list', { cursor: first.nextCursor })
  const third = await editor.request<ListSessionsResponse>('session/list', { cursor: second.nextCursor })
  expect([second.sessions.length, third.sessions.length, third.nextCursor]).toEqual([50, 20, undefined])
  const listed = [first, second, third].flatMap(({ sessions }) => sessions.map(({ sessionId }) => sessionId))
  expect(new Set(listed)).toEqual(new Set(ids))
  expect(listed).toHaveLength(120)
})

test('only sessions of one directory, however it is written', async () => {
  await using lab = await openSessionLab()
  await using editor = await lab.open()
  const work = join(lab.path, 'work')
  await mkdir(join(work, 'inner'), { recursive: true })
  const written = [work, `${work}/`, `${work}//inner/..`, `${lab.path}/./work`]
  const ids: string[] = []
  const open = async (cwd: string) => {
    const { sessionId } = await editor.newSession({ cwd })
    await editor.prompt(sessionId, 'hello')
    return sessionId
  }
  for (const cwd of written) ids.push(await open(cwd))
  const inner = await open(join(work, 'inner'))
  for (const cwd of written) {
    const found = await listAll(editor, { cwd })
    expect(new Set(found.map(({ sessionId }) => sessionId))).toEqual(new Set(ids))
    expect(new Set(found.map((session) => session.cwd))).toEqual(new Set([work]))
  }
  expect(await listAll(editor, { cwd: `${work}/inner` })).toMatchObject([{ sessionId: inner }])
  expect(await listAll(editor, { cwd: '/no/such/directory' })).toEqual([])
})

const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const now = '2026-01-01T00:00:00.000Z'

describe('a param that is wrong', () => {
  const opened = new AsyncDisposableStack()
  let editor: AcpPeer
  beforeAll(async () => {
    const lab = opened.use(await openSessionLab())
    editor = opened.use(await lab.open())
  })
  afterAll(() => opened.disposeAsync())

  test.each<[string, unknown]>([
    ['a number', 5],
    ['empty', ''],
    ['words', 'next page, please'],
    ['another server’s', 'eyJvZmZzZXQiOjUwfQ=='],
    ['another version’s', cursor([2, now, 'x'])],
    ['too few values', cursor([1, now])],
    ['too many values', cursor([1, now, 'x', 'y'])],
    ['values of another type', cursor([1, 0, 'x'])],
    ['no time', cursor([1, 'yesterday', 'x'])],
    ['the same with padding', `${cursor([1, now, 'xy'])}==`],
    ['a good one with something after it', `${cursor([1, now, 'x'])}AAAA`],
    ['very long', 'A'.repeat(100_000)],
  ])('a cursor that is %s is rejected by name', async (_, value) => {
    await expect(editor.request('session/list', { cursor: value })).rejects.toMatchObject({
      code: -32602,
      data: { field: 'cursor' },
    })
  })

  test.each<[string, unknown]>([
    ['relative', 'work'],
    ['empty', ''],
    ['a number', 1],
  ])('a directory that is %s is rejected by name', async (_, cwd) => {
    await expect(editor.request('session/list', { cwd })).rejects.toMatchObject({
      code: -32602,
      data: { field: 'cwd' },
    })
  })
})

test('sessions of another agent are unknown here', async () => {
  await using lab = await openSessionLab()
  await using mine = await lab.open({ agent: { name: 'mine' } })
  await using others = await lab.open({ agent: { name: 'others' } })
  const { sessionId } = await mine.newSession({ cwd: lab.path })
  await mine.prompt(sessionId, 'hello')
  expect(await listAll(mine)).toHaveLength(1)
  expect(await listAll(others)).toEqual([])
  for (const method of ['session/load', 'session/resume']) {
    await expect(others.request(method, { sessionId, cwd: lab.path, mcpServers: [] })).rejects.toMatchObject({
      code: -32002,
      data: { sessionId },
    })
  }
  expect(await others.request('session/delete', { sessionId })).toEqual({})
  expect(await listAll(mine)).toHaveLength(1)
})

test('after logout no session is revealed', async () => {
  await using lab = await openSessionLab()
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.request('logout', {})
  for (const method of ['session/list', 'session/load', 'session/resume']) {
    await expect(editor.request(method, { sessionId, cwd: lab.path, mcpServers: [] })).rejects.toMatchObject({
      code: -32000,
    })
  }
})

test('any params are accepted or rejected with a known error', async () => {
  await using lab = await openSessionLab()
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  const methods = ['session/list', 'session/load', 'session/resume', 'session/delete']
  const field = fc.oneof(fc.jsonValue(), fc.constantFrom(sessionId, lab.path, '/'))
  const params = fc.oneof(
    fc.jsonValue(),
    fc.record(
      { sessionId: field, cwd: field, cursor: field, mcpServers: field, additionalDirectories: field },
      { requiredKeys: [] },
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...methods), params, async (method, value) => {
      const code = await editor.request(method, value).then(
        () => 0,
        (error: { code: number }) => error.code,
      )
      expect([0, -32602, -32002]).toContain(code)
    }),
    { numRuns: 150 },
  )
})
