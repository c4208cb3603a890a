import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ostlerScript } from '../support/acp-harness.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { hasTerminal, runOnTerminal } from './run-on-terminal.ts'
import { runCli } from '../support/run-cli.ts'
import { openStateLab } from './state-lab.ts'

test('missing state has no calls, and reading does not create it', async () => {
  await using dir = await openTempDir()
  const stateDir = join(dir.path, 'state')
  const run = (...args: readonly string[]) => runCli(['history', ...args, '--state-dir', stateDir])
  expect(await run()).toEqual({ code: 0, stdout: 'No tool calls found.\n', stderr: '' })
  expect(JSON.parse((await run('--json')).stdout)).toEqual({ calls: [], next: null })
  expect(await run('--session', 'abc')).toEqual({
    code: 1,
    stdout: '',
    stderr: "ostler: There is no session 'abc'. `ostler sessions` lists them.\n",
  })
  expect(existsSync(stateDir)).toBe(false)
})

test('calls are listed newest first, in columns', async () => {
  await using state = await openStateLab()
  const { id: sessionId } = state.addSession({ id: 'abcdef12-0000-4000-8000-000000000000' })
  await state.addCall({ sessionId, decision: ['allow', 'person:allow-once'], end: 'success' })
  await state.addCall({ server: null, tool: 'write', decision: ['deny', 'person:deny-once'], end: 'denied' })
  await state.addCall({ tool: 'fetch' })
  const { code, stdout, stderr } = await state.run('history')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(/^ID +TIME +STATUS +SERVER +TOOL +DURATION +SESSION +DECISION$/)
  expect(lines[1]).toMatch(/^00000003 {2}\d\d:\d\d:\d\d {2}pending +files +fetch +allow mode:auto$/)
  expect(lines[2]).toMatch(/^00000002 {2}\d\d:\d\d:\d\d {2}denied +\(Ostler\) +write +deny person:deny-once$/)
  expect(lines[3]).toMatch(
    /^00000001 {2}\d\d:\d\d:\d\d {2}success +files +read_file +<?\d+ ms +abcdef12 +allow person:allow-once$/,
  )
})

test('filters select calls', async () => {
  await using state = await openStateLab()
  const { id: sessionId } = state.addSession({ id: 'abcdef12-0000-4000-8000-000000000000' })
  state.addSession({ id: 'abc00000-0000-4000-8000-000000000000' })
  await state.addCall({ sessionId, end: 'success', arguments: { path: '/one/needle.txt' } })
  await state.addCall({ tool: 'write_file', end: 'error' })
  await state.addCall({ server: 'web', tool: 'fetch', end: 'success' })
  const tools = async (...args: readonly string[]) =>
    ((await state.json('history', ...args))['calls'] as { tool: string }[]).map(({ tool }) => tool)
  expect(await tools('--session', sessionId)).toEqual(['read_file'])
  expect(await tools('--session', 'abcd')).toEqual(['read_file'])
  expect(await tools('--server', 'web')).toEqual(['fetch'])
  expect(await tools('--tool', 'write_file')).toEqual(['write_file'])
  expect(await tools('--status', 'error')).toEqual(['write_file'])
  expect(await tools('--since', '1h')).toEqual(['fetch', 'write_file', 'read_file'])
  expect(await tools('--since', '2999-01-01')).toEqual([])
  expect(await tools('--search', 'needle')).toEqual(['read_file'])
  expect(await tools('--limit', '2', '--status', 'success')).toEqual(['fetch', 'read_file'])
  expect(await state.run('history', '--session', 'abc')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("More than one session begins with 'abc'"),
  })
  expect(await state.run('history', '--session', 'ffff')).toMatchObject({
    code: 1,
    stderr: "ostler: There is no session 'ffff'. `ostler sessions` lists them.\n",
  })
})

test('a program can read it page by page', async () => {
  await using state = await openStateLab()
  for (let count = 0; count < 5; count++) await state.addCall({ end: 'success' })
  const seen: string[] = []
  let before: readonly string[] = []
  for (;;) {
    const { calls, next } = (await state.json('history', '--limit', '2', ...before)) as {
      calls: { id: string }[]
      next: number | null
    }
    seen.push(...calls.map(({ id }) => id.slice(5, 13)))
    if (next === null) break
    before = ['--before', String(next)]
  }
  expect(seen).toEqual(['00000005', '00000004', '00000003', '00000002', '00000001'])
})

test('a call is shown in full, by its ID or the beginning of it', async () => {
  await using state = await openStateLab()
  const content = [{ type: 'text' as const, text: 'it was \u001b[31mred\u001b[0m\nand \u202emore' }]
  const id = await state.addCall({
    decision: ['allow', 'person:allow-always'],
    end: 'success',
    result: { isError: false, content, structured: { a: 1 } },
  })
  const failed = await state.addCall({ end: 'error', decision: ['allow', 'trusted:files:*'] })
  const { code, stdout, stderr } = await state.run('history', 'show', id)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const part of [
    `Call:      ${id} (1)`,
    'Server:    files',
    'Decision:  You always allow it (person:allow-always)',
    'Arguments\n  {\n    "path": "/a"\n  }',
    'Result\n  it was red\n  and more',
    'Structured result\n  {\n    "a": 1\n  }',
  ])
    expect(stdout).toContain(part)
  expect(stdout).not.toMatch(/\p{Cc}(?<!\n)|\p{Cf}/u)
  for (const prefix of ['00000001', 'call_00000001'])
    expect((await state.run('history', 'show', prefix)).stdout).toBe(stdout)

  const error = await state.run('history', 'show', failed)
  expect(error.stdout).toContain('Decision:  Allowed: it matches the trusted tool files:* (trusted:files:*)')
  expect(error.stdout).toContain('Error\n  the end: error')

  const json = await state.run('history', 'show', id, '--json')
  expect(json.stdout).not.toMatch(/\p{Cc}(?<!\n)|\p{Cf}/u)
  expect(JSON.parse(json.stdout)).toMatchObject({
    id,
    status: 'success',
    arguments: { path: '/a' },
    result: { content, structured: { a: 1 } },
  })
  expect(await state.run('history', 'show', '9')).toEqual({
    code: 1,
    stdout: '',
    stderr: "ostler: There is no tool call '9'. `ostler history` lists them.\n",
  })
  expect(await state.run('history', 'show', '0000')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('More than one tool call'),
  })
})

test('shows how large a result was that was too large', async () => {
  await using state = await openStateLab()
  const id = await state.addCall({
    end: 'success',
    result: { isError: false, content: [{ type: 'text', text: 'x'.repeat(1024 * 1024) }] },
  })
  const { stdout } = await state.run('history', 'show', id)
  expect(stdout).toMatch(/^Result: +1 MiB, of which the beginning is shown; --whole shows what is kept$/m)
  expect(stdout).toContain('[truncated: 1048576 characters in all]')
})

test('a result that is kept in full is printed in full', async () => {
  await using state = await openStateLab()
  const { id: sessionId } = state.addSession({ id: 'abcdef12-0000-4000-8000-000000000000' })
  const id = await state.addCall({ sessionId, end: 'success' })
  for (const [start, text] of [
    [0, 'the beginning\n'],
    [14, 'the end'],
  ] as const)
    state.history.calls.results.add({ sessionId, callId: id, start, line: 0, text })
  expect(await state.run('history', 'show', id, '--whole')).toEqual({
    code: 0,
    stdout: 'the beginning\nthe end\n',
    stderr: '',
  })
  const small = await state.addCall({ end: 'success' })
  expect((await state.run('history', 'show', small, '--whole')).stdout).toBe('the end: success\n')
})

test('a reader that leaves early causes no stack trace', async () => {
  await using state = await openStateLab()
  const text = 'a line that is long enough to fill a pipe sooner or later\n'.repeat(4_000)
  const id = await state.addCall({
    end: 'success',
    result: { isError: false, content: [{ type: 'text', text }] },
  })
  const child = spawn(
    process.execPath,
    [ostlerScript, 'history', 'show', id, '--state-dir', state.stateDir],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  child.stdout.destroy()
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(141)
  expect(stderr).toBe('')
})

test('state of a newer Ostler is left unchanged; unusable state is set aside, which is reported in one line', async () => {
  await using state = await openStateLab()
  await state.history.journal.change(({ database }) => database.exec('PRAGMA user_version = 999'))
  expect(await state.run('history')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^ostler: .*newer Ostler.*\n$/),
  })

  const damaged = join(state.path, 'damaged')
  await mkdir(damaged)
  await writeFile(join(damaged, 'ostler.db'), 'this is no database, however long one looks at it')
  const { code, stdout, stderr } = await runCli(['history', '--state-dir', damaged])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^ostler: .*damaged.*\n$/)
  expect((await readdir(damaged)).some((name) => name.startsWith('ostler.db.corrupt-'))).toBe(true)
  expect(await runCli(['history', '--state-dir', damaged])).toMatchObject({ code: 0, stderr: '' })
})

test('all or old calls are deleted, but only after a yes', async () => {
  await using state = await openStateLab()
  const { id: sessionId } = state.addSession({})
  await state.addCall({ sessionId, end: 'success' })
  await state.addCall({ end: 'error' })
  await state.addCall({ tool: 'running' })
  expect(await state.run('history', 'clear')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs --yes'),
  })
  expect(await state.run('history', 'clear', '--before', 'soon', '--yes')).toMatchObject({ code: 2 })
  expect(await state.run('history', 'clear', '--before', '1d', '--yes')).toMatchObject({
    code: 0,
    stdout: 'No tool calls found.\n',
  })
  if (hasTerminal) {
    const args = ['history', 'clear', '--state-dir', state.stateDir]
    const no = await runOnTerminal(args, { env: state.env, typed: [['Delete 2 tool calls', 'n\r']] })
    expect(no).toMatchObject({ code: 1, shown: expect.stringContaining('Nothing was deleted') })
  }
  expect(await state.run('history', 'clear', '--yes')).toMatchObject({
    code: 0,
    stdout: 'Deleted 2 tool calls.\n',
  })
  expect(await state.json('history')).toMatchObject({ calls: [{ tool: 'running' }] })
  expect(await state.run('sessions', 'show', sessionId)).toMatchObject({ code: 0 })
})

// Nothing is forbidden to root, and another user may lack access to the workspace's directory.
const otherUser = process.getuid?.() === 0 ? { uid: 65_534 } : {}
const canRunAsOther =
  process.platform !== 'win32' && spawnSync(process.execPath, ['--version'], otherUser).status === 0

test.skipIf(!canRunAsOther)('read-only state can be read', async () => {
  await using state = await openStateLab()
  const { id: sessionId } = state.addSession({ title: 'Seen' })
  await state.addCall({ sessionId, end: 'success' })
  state.history[Symbol.dispose]()
  await chmod(join(state.stateDir, 'ostler.db'), 0o444)
  await chmod(state.stateDir, 0o555)
  await chmod(state.path, 0o755)
  const run = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, [ostlerScript, ...args, '--state-dir', state.stateDir], {
      ...otherUser,
      env: { PATH: process.env['PATH'], ...state.env },
    })
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve, reject) => child.on('close', resolve).on('error', reject)),
    ])
    return { code, stdout, stderr }
  }
  try {
    expect(await run('history')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('read_file'),
      stderr: '',
    })
    expect(await run('sessions', 'list')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Seen'),
      stderr: '',
    })
    expect(await run('sessions', 'export', sessionId)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Seen'),
      stderr: '',
    })
    expect(await run('mcp', 'list')).toMatchObject({ code: 0, stderr: '' })
    expect(await run('history', 'clear', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it is read-only'),
    })
  } finally {
    await chmod(state.stateDir, 0o755)
  }
})

test.each([
  [
    ['history', '--limit', '-1'],
    '--limit needs a value; if the value begins with a dash, write --limit=-VALUE',
  ],
  [['history', 'sho'], "unknown command 'history sho'; did you mean 'show'?"],
  [['history', 'list'], "unknown command 'history list'"],
  [['history', '--status', 'fine'], '--status must be one of pending'],
  [['history', '--since', 'yesterday'], '--since must be like'],
  [['history', '--since', '5'], '--since must be like'],
  [['history', '--limit', '0'], '--limit must be a number'],
  [['history', '--limit', 'all'], '--limit must be a number'],
  [['history', '--search', '...'], '--search needs at least one word'],
  [['history', '--tool', ''], '--tool needs a value'],
  [['history', '--dance'], '--dance'],
  [['history', 'show'], 'show needs the ID'],
  [['history', 'show', '1', '2'], 'show needs the ID of a call'],
])('ostler %j is invalid: exit code 2', async (args, reason) => {
  const { code, stdout, stderr } = await runCli(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(reason)
  expect(stderr).toMatch(/^(?:See|Usage:) ostler history\b/m)
})

test('stats counts the calls of each tool, or of each server, by day', async () => {
  await using state = await openStateLab()
  for (const tool of ['read_file', 'read_file', 'write_file'])
    await state.addCall({ tool, end: tool === 'write_file' ? 'error' : 'success' })
  const { code, stdout, stderr } = await state.run('history', 'stats')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^DAY +SERVER +TOOL +CALLS +ERRORS +DENIED +P50 +P95$/)
  expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d +files +read_file +2 +0 +0 +<?\d+ ms +<?\d+ ms$/)
  expect(lines[2]).toMatch(/files +write_file +1 +1 +0/)
  expect((await state.json('history', 'stats', '--by', 'server'))['statistics']).toMatchObject([
    { server: 'files', tool: null, calls: 3 },
  ])
  expect((await state.run('history', 'stats', '--server', 'web')).stdout).toBe('No tool calls found.\n')
  expect(await state.run('history', 'stats', '--by', 'day')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--by must be tool or server'),
  })
})

test('a call is shown as far as it is recorded', async () => {
  await using state = await openStateLab()
  const { id: sessionId } = state.addSession({})
  const running = await state.addCall({ server: null, arguments: 'a text', sessionId })
  const empty = await state.addCall({ end: 'success', result: { isError: false, content: [] } })
  const silent = await state.addCall({ end: 'error', result: { isError: true, content: [] } })
  const show = async (id: string) => (await state.run('history', 'show', id)).stdout
  const shown = await show(running)
  expect(shown).toMatch(/^Server: +none \(a tool of Ostler or of the editor/m)
  expect(shown).toMatch(new RegExp(`^Session: +${sessionId}, turn 1$`, 'm'))
  expect(shown).toMatch(/^Arguments\n {2}a text$/m)
  expect(shown).not.toMatch(/^(?:Ended|Duration|Result)/m)
  expect(await show(empty)).toMatch(/^Result\n {2}\(nothing\)$/m)
  expect(await show(silent)).toMatch(/^Error\n/m)
})

test('statistics include calls of tools without a server', async () => {
  await using state = await openStateLab()
  await state.addCall({ server: null, tool: 'write', decision: ['deny', 'tool:deny'], end: 'denied' })
  expect((await state.run('history', 'stats')).stdout).toMatch(/^\S+ +\(Ostler\) +write +1 +0 +1$/m)
  expect((await state.run('history', 'stats', '--by', 'server')).stdout).toMatch(
    /^DAY +SERVER +CALLS [^]*^\S+ +\(Ostler\) +1 +0 +1$/m,
  )
  expect((await state.run('history', 'stats', '--server', 'nobody')).stdout).toBe('No tool calls found.\n')
  expect(await runCli(['history', 'stats', '--state-dir', join(state.path, 'none')])).toMatchObject({
    stdout: 'No tool calls found.\n',
  })
})
