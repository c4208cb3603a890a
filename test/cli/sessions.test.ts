import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SessionLog, SessionSummary } from '../../packages/agent-api/src/state/sessions/session-entry.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { hasTerminal, runOnTerminal } from './run-on-terminal.ts'
import { runCli } from '../support/run-cli.ts'
import { openStateLab, type StateLab } from './state-lab.ts'

const text = (value: string) => [{ type: 'text' as const, text: value }]
const usage = { inputTokens: 1, outputTokens: 1, contextUsed: 1, contextSize: 10 }

/** Adds a turn with a question, a thought, a call and an answer. */
function addTurn(
  state: StateLab,
  session: SessionSummary,
  output = 'line 1\nline 2\nline 3\nline 4\nline 5\nline 6',
): SessionLog {
  const log = state.history.sessions.log(session, { isStored: true })
  log.beginTurn(text('What is in \u001b[2Jit?'))
  log.event({ type: 'thought', messageId: 'm1', text: 'I should look.' })
  const call = {
    wireName: 'files__read',
    title: 'files: read',
    kind: 'read',
    rawInput: { path: '/a' },
    locations: [],
  } as const
  log.event({ type: 'tool_call', call: { id: 'c1', ref: { server: 'files', tool: 'read' }, ...call } })
  log.event({
    type: 'tool_call_update',
    id: 'c1',
    update: { status: 'completed', end: 'success', content: text(output) },
  })
  log.event({ type: 'text', messageId: 'm2', text: 'Six ' })
  log.event({ type: 'text', messageId: 'm2', text: 'lines.' })
  log.event({ type: 'turn_end', stopReason: 'end_turn', usage })
  return log
}

test('missing state has no sessions, and reading does not create it', async () => {
  await using dir = await openTempDir()
  const stateDir = join(dir.path, 'state')
  const run = (...args: readonly string[]) => runCli(['sessions', ...args, '--state-dir', stateDir])
  expect(await run('list')).toEqual({ code: 0, stdout: 'No sessions found.\n', stderr: '' })
  expect(JSON.parse((await run('list', '--json')).stdout)).toEqual({ sessions: [], next: null })
  for (const args of [
    ['show', 'a'],
    ['export', 'a'],
    ['delete', 'a', '--yes'],
  ])
    expect(await run(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: "ostler: There is no session 'a'. `ostler sessions` lists them.\n",
    })
  expect(existsSync(stateDir)).toBe(false)
})

test('sessions are listed by last use, newest first, and page by page for programs', async () => {
  await using state = await openStateLab()
  state.addSession({ cwd: '/one' })
  state.addSession({ cwd: '/two', title: 'Two' })
  state.addSession({ cwd: '/one', title: 'A\u001b[31m title\nof two lines' })
  const { code, stdout } = await state.run('sessions', 'list')
  expect(code).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^ID +USED +TURNS +AGENT +DIRECTORY +TITLE$/)
  expect(lines[1]).toMatch(/^10000003 {2}2026-01-01 00:00 {2}0 +default {2}\/one +A title of two lines$/)
  expect(lines[2]).toMatch(/\/two +Two$/)
  state.addSession({ cwd: '/one', title: null })
  const ids = async (...args: readonly string[]) => {
    const { sessions, next } = (await state.json('sessions', 'list', ...args)) as {
      sessions: { id: string }[]
      next: string | null
    }
    return { ids: sessions.map(({ id }) => id.slice(0, 8)), next }
  }
  expect(await ids('--cwd', '/one')).toEqual({ ids: ['10000003', '10000001'], next: null })
  const first = await ids('--limit', '2')
  expect(first.ids).toEqual(['10000003', '10000002'])
  expect(await ids('--limit', '2', '--after', first.next ?? '')).toEqual({ ids: ['10000001'], next: null })
  expect(await state.run('sessions', 'list', '--after', 'nobody')).toMatchObject({ code: 1 })
})

test('a session is shown in order, without control characters', async () => {
  await using state = await openStateLab()
  const session = state.addSession({ title: 'Reading' })
  const log = addTurn(state, session)
  log.beginTurn(text('And now?'))
  log.event({ type: 'text', messageId: 'm3', text: 'Half' })
  log.event({ type: 'turn_end', stopReason: 'cancelled', usage })
  const { code, stdout, stderr } = await state.run('sessions', 'show', session.id.slice(0, 8))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    new RegExp(`^Reading\nSession ${session.id} of the agent default\nIn /projects/one\nStarted 2026-01-01`),
  )
  expect(stdout.split('\n\n').slice(1)).toEqual([
    'You\nWhat is in it?',
    'I should look.',
    'files: read success {"path":"/a"}\n  line 1\n  line 2\n  line 3\n  line 4\n  … 2 more lines',
    'Six lines.',
    'You\nAnd now?',
    'Half',
    'The turn was cancelled.\n',
  ])
  expect(stdout).not.toContain('\u001b')
})

test('a session is exported as Markdown or JSON, and an existing file is kept', async () => {
  await using state = await openStateLab()
  const session = state.addSession({ title: 'Reading # things' })
  addTurn(state, session, 'before\n```\nafter')
  await state.addCall({ sessionId: session.id, end: 'success' })
  const markdown = await state.run('sessions', 'export', '1000')
  expect(markdown).toMatchObject({ code: 0, stderr: '' })
  for (const part of [
    '# Reading # things\n\n- Session: `',
    '## You\n\nWhat is in it?\n\n> I should look.',
    '### files: read (success)\n\n```json\n{\n  "path": "/a"\n}\n```\n\n````\nbefore\n```\nafter\n````\n\nSix lines.\n',
  ])
    expect(markdown.stdout).toContain(part)

  const file = join(state.path, 'out.json')
  const written = await state.run('sessions', 'export', session.id, '--format', 'json', '--output', file)
  expect(written).toEqual({ code: 0, stdout: '', stderr: `Wrote ${file}\n` })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const json = JSON.parse(await readFile(file, 'utf8')) as {
    session: object
    entries: object[]
    calls: object[]
  }
  expect(json.session).toMatchObject({ id: session.id, turns: 1 })
  expect(json.entries[0]).toMatchObject({ turn: 1, kind: 'prompt' })
  expect(json.calls).toEqual([
    expect.objectContaining({ tool: 'read_file', arguments: { path: '/a' }, result: expect.anything() }),
  ])
  expect(JSON.parse((await state.run('sessions', 'show', session.id, '--json')).stdout)).toEqual(json)

  const again = ['sessions', 'export', session.id, '--output', file]
  expect(await state.run(...again)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${file} already exists`),
  })
  expect(await state.run(...again, '--force')).toMatchObject({ code: 0 })
  expect(await readFile(file, 'utf8')).toBe(markdown.stdout)
})

test('sessions are deleted with their calls, either all that are named or none', async () => {
  await using state = await openStateLab()
  const [one, two, three] = [state.addSession({}), state.addSession({}), state.addSession({})]
  await state.addCall({ sessionId: one.id, end: 'success' })
  const wrong = await state.run('sessions', 'delete', one.id, 'nobody', '--yes')
  expect(wrong).toMatchObject({ code: 1, stdout: '' })
  expect(await state.run('sessions', 'delete', one.id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs --yes'),
  })
  expect(state.history.sessions.list({ limit: 9 })).toHaveLength(3)
  expect(await state.run('sessions', 'delete', one.id, '10000002', one.id, '--yes')).toEqual({
    code: 0,
    stdout: `Deleted ${one.id}, ${two.id}.\n`,
    stderr: '',
  })
  expect(state.history.sessions.list({ limit: 9 }).map(({ id }) => id)).toEqual([three.id])
  expect(await state.json('history')).toMatchObject({ calls: [] })
})

test.runIf(hasTerminal)('on a terminal the command asks first, and anything but a yes is a no', async () => {
  await using state = await openStateLab()
  const session = state.addSession({ title: 'Precious' })
  const args = ['sessions', 'delete', session.id, '--state-dir', state.stateDir]
  const question = 'Delete 1 session and all its data?'
  for (const keys of ['yess\r', '\u0004']) {
    const { code, shown } = await runOnTerminal(args, { env: state.env, typed: [[question, keys]] })
    expect({ keys, code }).toEqual({ keys, code: 1 })
    expect(shown).toMatch(/Precious[^]*Nothing was deleted/)
  }
  expect(await runOnTerminal(args, { env: state.env, typed: [[question, '\u0003']] })).toMatchObject({
    code: 1,
  })
  expect(state.history.sessions.find(session.id)).toBeDefined()
  expect(await runOnTerminal(args, { env: state.env, typed: [[question, 'y\r']] })).toMatchObject({ code: 0 })
  expect(state.history.sessions.find(session.id)).toBeUndefined()
})

test.each([
  [['sessions', 'dance'], "unknown command 'sessions dance'"],
  [['sessions', '--dance'], '--dance'],
  [['sessions', 'list', 'all'], "unexpected argument 'all'"],
  [['sessions', 'show'], 'show needs the ID'],
  [['sessions', 'delete', '--yes'], 'delete needs the IDs'],
  [['sessions', 'export', 'a', 'b'], 'export needs the ID of one'],
  [['sessions', 'export', 'a', '--format', 'pdf'], '--format must be md or json'],
])('ostler %j is invalid: exit code 2', async (args, reason) => {
  const { code, stdout, stderr } = await runCli(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(reason)
  expect(stderr).toMatch(/^(?:See|Usage:) ostler sessions\b/m)
})

test('a session is shown and exported with all optional parts, and without them', async () => {
  await using state = await openStateLab()
  const session = state.addSession({
    title: null,
    model: 'vendor/large',
    additionalDirectories: ['/projects/two'],
  })
  const log = state.history.sessions.log(session, { isStored: true })
  log.beginTurn(text('Go'))
  const ends = [
    ['c1', null, 'write', 'error', 'one\ntwo\nthree\nfour\nfive'],
    ['c2', 'web', 'fetch', 'denied', ''],
    ['c3', 'web', 'look', 'cancelled', 'x'.repeat(200)],
  ] as const
  for (const [id, server, tool, end, output] of ends) {
    const call = {
      id,
      ref: { server, tool },
      wireName: tool,
      title: tool,
      kind: 'other',
      rawInput: undefined,
      locations: [],
    } as const
    log.event({ type: 'tool_call', call })
    log.event({ type: 'tool_call_update', id, update: { status: 'failed', end, content: text(output) } })
  }
  log.event({ type: 'turn_end', stopReason: 'end_turn', usage })
  const { stdout } = await state.run('sessions', 'show', session.id)
  const [head, ...items] = stdout.trimEnd().split('\n\n')
  expect(head).toMatch(
    /^Untitled\nSession \S+ of the agent default, with vendor\/large\nIn \/projects\/one, \/projects\/two\n/,
  )
  expect(items).toEqual([
    'You\nGo',
    'write error\n  one\n  two\n  three\n  four\n  … 1 more line',
    'web: fetch denied',
    `web: look cancelled\n  ${'x'.repeat(160)}…`,
  ])
  const markdown = (await state.run('sessions', 'export', session.id, '--output', '-')).stdout
  expect(markdown).toMatch(/^# Untitled\n/)
  for (const part of [
    '- Model: `vendor/large`\n- Directories: `/projects/one`, `/projects/two`\n',
    '\n\n### write (error)\n\n```\none\n',
    '\n\n### web: fetch (denied)\n\n### web: look',
  ])
    expect(markdown).toContain(part)
})
