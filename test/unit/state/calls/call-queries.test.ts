import { parseRule } from '../../../../packages/agent-api/src/policy/decision-rule.ts'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import type { CallQuery, CallStatus } from '../../../../packages/agent-api/src/state/calls/call.ts'
import type { State } from '../../../../packages/agent-api/src/state/state.ts'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'
import { createRedactor } from '../../../../packages/agent-api/src/redaction/redact.ts'
import { newSession, recordCall, type CallToRecord } from '../../../support/history-lab.ts'

const ends = ['success', 'error', 'denied', 'cancelled', undefined] as const

/** Two hundred calls that differ in everything that can be queried. */
const calls: readonly CallToRecord[] = Array.from({ length: 200 }, (_, index) => ({
  id: `call_${index}`,
  agent: index % 11 === 0 ? 'other' : 'default',
  sessionId: `session-${index % 7}`,
  turn: 1 + (index % 3),
  server: [null, 'files', 'web', 'fïles & Co'][index % 4],
  tool: ['read', 'write', 'read_file'][index % 3],
  arguments: { path: `/home/user/notes${index}.txt`, word: index % 2 === 0 ? 'even' : 'odd' },
  end: ends[index % 5],
  text: `the result of ${index % 13 === 0 ? 'thirteen' : 'others'}, Größe ${index}`,
}))

/** Tests read it only. */
let filled: State

beforeAll(async () => {
  filled = openState()
  for (let index = 0; index < 7; index++)
    filled.sessions.log(newSession(`session-${index}`), { isStored: false })
  for (const call of calls) await recordCall(filled, call)
})
afterAll(() => filled[Symbol.dispose]())

function statusOf({ end }: CallToRecord): CallStatus {
  return end ?? 'pending'
}

/** A straightforward implementation of the word search. */
function hasWords(call: CallToRecord, text: string): boolean {
  const plain = (value: string) => value.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = plain(
    [call.server ?? '', call.tool, JSON.stringify(call.arguments), call.text].join(' '),
  ).split(/[^\p{L}\p{N}]+/u)
  return plain(text)
    .split(' ')
    .every((word) => words.includes(word))
}

function expected(query: Omit<CallQuery, 'limit'>): readonly string[] {
  const found = calls.filter(
    (call, index) =>
      (query.agent === undefined || call.agent === query.agent) &&
      (query.sessionId === undefined || call.sessionId === query.sessionId) &&
      (query.turn === undefined || call.turn === query.turn) &&
      (query.server === undefined || call.server === query.server) &&
      (query.tool === undefined || call.tool === query.tool) &&
      (query.status === undefined || statusOf(call) === query.status) &&
      (query.before === undefined || index + 1 < query.before) &&
      (query.after === undefined || index + 1 > query.after) &&
      // Only ended calls can be found by their words.
      (query.text === undefined || (call.end !== undefined && hasWords(call, query.text))),
  )
  const ids = found.map(({ id }) => id)
  return query.after === undefined ? ids.toReversed() : ids
}

it('finds the same as a plain scan, for every combination of filters', async () => {
  const choices = {
    agent: [undefined, 'other'],
    sessionId: [undefined, 'session-3'],
    turn: [undefined, 2],
    server: [undefined, null, 'fïles & Co'],
    tool: [undefined, 'read'],
    status: [undefined, 'pending', 'success'],
    text: [undefined, 'even', 'grosse thirteen'],
    page: [{}, { before: 120 }, { after: 60 }],
  } as const
  let queries: Omit<CallQuery, 'limit'>[] = [{}]
  for (const [name, values] of Object.entries(choices)) {
    queries = queries.flatMap((query) =>
      values.map((value) => ({
        ...query,
        ...(name === 'page' ? (value as object) : value === undefined ? {} : { [name]: value }),
      })),
    )
  }
  for (const query of queries) {
    const found = filled.calls.list({ ...query, limit: 20 }).map(({ id }) => id)
    expect(found, JSON.stringify(query)).toEqual(expected(query).slice(0, 20))
  }
  expect(queries.length).toBe(1_296)
})

it('pages through everything without gaps or repetitions', async () => {
  for (const filter of [{}, { server: 'web' }, { text: 'others' }] as const) {
    const seen: string[] = []
    for (let before: number | undefined; ;) {
      const page = filled.calls.list({ ...filter, limit: 7, ...(before === undefined ? {} : { before }) })
      seen.push(...page.map(({ id }) => id))
      before = page.at(-1)?.seq
      if (page.length < 7) break
    }
    expect(seen).toEqual(expected(filter))
  }
})

it.each([
  ['a whole word first', 'read', ['whole']],
  ['the beginning of one where there is no whole one', 'beginn', ['beginning']],
  ['no beginning of a single letter', 'b', []],
  ['every word', 'read nowhere', []],
  ['nothing that is an operator', 'NOT read', []],
  ['nothing that is punctuation', '"*)(:^', []],
  ['nothing at all', '', []],
  ['letters that are newer than the index', 'a\u{1e900}\u1c90b', []],
  ['no made-up word of the index', '§ssuccess', []],
])('searches for %s', async (_, text, ids) => {
  using history = openState()
  await recordCall(history, { id: 'whole', tool: 'x', end: 'success', text: 'read this' })
  await recordCall(history, { id: 'beginning', tool: 'x', end: 'success', text: 'readers of the beginning' })
  expect(history.calls.list({ text, limit: 9 }).map(({ id }) => id)).toEqual(ids)
})

it('reports additions and changes, in order', async () => {
  using history = openState()
  const recorder = history.calls.recorder({ agent: 'default' })
  const first = await recorder.start({ id: 'first', server: 'files', tool: 'read', arguments: {} })
  await recorder.start({ id: 'second', server: 'files', tool: 'read', arguments: {} })
  const since = history.calls.lastChange()
  expect(history.calls.list({ changedAfter: since, limit: 9 })).toEqual([])

  await recorder.start({ id: 'third', server: 'files', tool: 'read', arguments: {} })
  first.decided('allow', { by: 'mode', how: 'auto' })
  first.ended('success', { isError: false, content: [] })
  const changed = history.calls.list({ changedAfter: since, limit: 9 })
  expect(changed.map(({ id, status }) => [id, status])).toEqual([
    ['third', 'pending'],
    ['first', 'success'],
  ])
  expect(changed.at(-1)?.change).toBe(history.calls.lastChange())
})

it('never reuses the number of a change, even when the newest rows are deleted', async () => {
  using history = openState()
  history.sessions.log(newSession('gone'), { isStored: false })
  await recordCall(history, { id: 'old', end: 'success' })
  await recordCall(history, { id: 'new', sessionId: 'gone', end: 'success' })
  const since = history.calls.lastChange()
  expect(await history.sessions.delete('gone')).toBe(true)
  await recordCall(history, { id: 'next', end: 'success' })
  expect(history.calls.list({ changedAfter: since, limit: 9 }).map(({ id }) => id)).toEqual(['next'])
})

it('finds by time although the clock was set back', async () => {
  using history = openState()
  const times = [
    '2026-03-01T12:00:00.000Z',
    '2026-03-02T12:00:00.000Z',
    '2026-02-28T12:00:00.000Z',
    '2026-03-02T13:00:00.000Z',
  ]
  for (const index of times.keys()) await recordCall(history, { id: `call_${index}`, end: 'success' })
  await history.journal.change((statements) => {
    statements.run('DELETE FROM call_hours')
    for (const [index, time] of times.entries()) {
      statements.run('UPDATE tool_calls SET started_at = ? WHERE id = ?', time, `call_${index}`)
      statements.run(
        `INSERT INTO call_hours VALUES (substr(?1, 1, 13), ?2, ?2) ON CONFLICT (hour) DO UPDATE SET first = min(first, ?2), last = max(last, ?2)`,
        time,
        index + 1,
      )
    }
  })
  const find = (query: Partial<CallQuery>) => history.calls.list({ limit: 9, ...query }).map(({ id }) => id)
  expect(find({ since: '2026-03-01' })).toEqual(['call_3', 'call_1', 'call_0'])
  expect(find({ until: '2026-03-01' })).toEqual(['call_2'])
  expect(find({ since: '2026-03-02T12:30:00Z', tool: 'read' })).toEqual(['call_3'])
  expect(find({ since: '2026-03-02T14:00:00+02:00', until: '2026-03-02T14:00:01+02:00' })).toEqual(['call_1'])
  expect(find({ since: '2027-01-01' })).toEqual([])
  expect(() => find({ since: 'yesterday' })).toThrow("'yesterday' is not a valid time")
})

it('measures with a monotonic clock, and keeps the order in which calls began', async () => {
  using history = openState()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T12:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const recorder = history.calls.recorder({ agent: 'default' })
  const record = await recorder.start({ id: 'first', server: 'files', tool: 'read', arguments: {} })
  vi.setSystemTime(Date.parse('2026-03-01T11:00:00Z'))
  record.ended('success', { isError: false, content: [] })
  await recordCall(history, { id: 'second', end: 'success' })
  const [second, first] = history.calls.list({ limit: 9 })
  expect([first?.id, second?.id]).toEqual(['first', 'second'])
  expect(first?.durationMs).toBeGreaterThanOrEqual(0)
  expect(first?.durationMs).toBeLessThan(3_600_000)
  expect(
    history.calls.list({ until: '2026-03-01T11:30:00Z', tool: 'read', limit: 9 }).map(({ id }) => id),
  ).toEqual(['second'])
})

it('keeps arguments, result and sizes, and cuts large ones', async () => {
  const redactor = createRedactor()
  using history = openState({ redactor })
  const large = 'x'.repeat(300_000)
  await recordCall(history, {
    id: 'small',
    arguments: { deep: [1, { a: null }] },
    end: 'success',
    text: 'fine',
  })
  await recordCall(history, { id: 'large', arguments: { large }, end: 'error', text: large })
  const args = { text: 'two\nlines', id: 7, force: true, nothing: null, long: 'y'.repeat(1_000) }
  await recordCall(history, { id: 'plain', arguments: args })
  await recordCall(history, { id: 'older', arguments: { key: `${'-'.repeat(290)}hush-hush-hush` } })
  // The secret becomes known after its call, and would be cut in a list.
  redactor.add('hush-hush-hush')
  expect(history.calls.list({ limit: 9 }).map(({ about }) => about)).toEqual([
    `key: ${'-'.repeat(290)}[reda`,
    `text: two\nlines, id: 7, force: true, nothing: null, long: ${'y'.repeat(300)}`.slice(0, 300),
    null,
    'deep: [1,{"a":null}]',
  ])
  expect(history.calls.find('small')).toMatchObject({
    arguments: { deep: [1, { a: null }] },
    result: { content: [{ type: 'text', text: 'fine' }] },
    status: 'success',
    decision: 'allow',
    rule: 'mode:auto',
    error: null,
  })
  const kept = history.calls.find('large')
  expect(kept?.resultBytes).toBeGreaterThan(300_000)
  expect(kept?.error).toHaveLength(1_000)
  expect(JSON.stringify(kept?.result)).toContain('[truncated: 300000 characters in all]')
  expect(String(kept?.arguments)).toContain('[truncated: 300012 characters in all]')
  expect(history.calls.find('nothing')).toBeUndefined()
})

it('lists servers and tools, and counts their calls by day', async () => {
  expect(filled.calls.tools()).toEqual([
    { server: null, tools: ['read', 'read_file', 'write'] },
    { server: 'files', tools: ['read', 'read_file', 'write'] },
    { server: 'fïles & Co', tools: ['read', 'read_file', 'write'] },
    { server: 'web', tools: ['read', 'read_file', 'write'] },
  ])
  const statistics = await filled.calls.statistics({ server: 'web' })
  const web = calls.filter(({ server, end }) => server === 'web' && end !== undefined)
  expect(statistics.reduce((sum, day) => sum + day.calls, 0)).toBe(web.length)
  expect(statistics.reduce((sum, day) => sum + day.errors, 0)).toBe(
    web.filter(({ end }) => end === 'error').length,
  )
  expect(statistics.reduce((sum, day) => sum + day.denied, 0)).toBe(
    web.filter(({ end }) => end === 'denied').length,
  )
  expect(await filled.calls.statistics({ since: '2100-01-01' })).toEqual([])
  await expect(filled.calls.statistics({}, AbortSignal.abort())).rejects.toThrow('aborted')
})

it('counts each tool separately', async () => {
  using history = openState()
  for (const [index, tool] of ['read', 'read', 'write'].entries())
    await recordCall(history, { id: `call_${index}`, tool, end: tool === 'write' ? 'error' : 'success' })
  expect(await history.calls.statistics({ by: 'tool' })).toMatchObject([
    { server: 'files', tool: 'read', calls: 2, errors: 0 },
    { server: 'files', tool: 'write', calls: 1, errors: 1 },
  ])
  expect(await history.calls.statistics({})).toMatchObject([
    { server: 'files', tool: null, calls: 3, errors: 1 },
  ])
})

it('calls follow a renamed stored server, and those of others keep their name', async () => {
  using history = openState()
  const name = (id: string, value: string) =>
    history.journal.change((statements) =>
      statements.run(
        `INSERT INTO servers (id, name, config, created_at, updated_at) VALUES (?, ?, '{}', '', '') ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
        id,
        value,
      ),
    )
  await name('one', 'old')
  await recordCall(history, {
    id: 'a',
    server: 'old',
    serverId: 'one',
    tool: 'first',
    end: 'success',
    text: 'needle',
  })
  await recordCall(history, { id: 'b', server: 'old', serverId: 'gone', end: 'success' })
  await recordCall(history, { id: 'c', server: 'old', end: 'success' })
  await name('one', 'new')
  await recordCall(history, { id: 'd', server: 'new', serverId: 'one', tool: 'second' })
  await name('two', 'old')
  await recordCall(history, { id: 'e', server: 'old', serverId: 'two', end: 'success' })

  const ids = (filter: object) =>
    history.calls.list({ limit: 9, ...filter }).map(({ id, server }) => `${id} ${server}`)
  expect(ids({})).toEqual(['e old', 'd new', 'c old', 'b old', 'a new'])
  expect(ids({ server: 'new' })).toEqual(['d new', 'a new'])
  expect(ids({ server: 'old' })).toEqual(['e old', 'c old', 'b old'])
  expect(ids({ server: 'new', text: 'needle' })).toEqual(['a new'])
  expect(ids({ server: 'new', status: 'pending' })).toEqual(['d new'])
  expect(history.calls.find('a')).toMatchObject({ server: 'new' })
  expect((await history.calls.statistics({})).map(({ server, calls }) => [server, calls])).toEqual([
    ['new', 1],
    ['old', 3],
  ])
  expect((await history.calls.statistics({ server: 'new' })).map(({ calls }) => calls)).toEqual([1])
  expect(history.calls.tools().find(({ server }) => server === 'new')?.tools).toEqual(
    expect.arrayContaining(['first', 'second']),
  )
})

it('computes quantiles of executed calls', async () => {
  using history = openState()
  for (let index = 1; index <= 100; index++)
    await recordCall(history, { id: `call_${index}`, end: index > 98 ? 'denied' : 'success' })
  await history.journal.change((statements) =>
    statements.run('UPDATE tool_calls SET waited_ms = 1000, duration_ms = seq + 1000'),
  )
  const [day] = await history.calls.statistics({})
  expect(day).toMatchObject({ calls: 100, denied: 2, errors: 0, p50Ms: 49, p95Ms: 94 })
})

it('leaves out a damaged row, and shows the others', async () => {
  using history = openState()
  history.sessions.log(newSession('one'), { isStored: false }).beginTurn([{ type: 'text', text: 'hello' }])
  await recordCall(history, { id: 'good', end: 'success' })
  await recordCall(history, { id: 'bad', end: 'success' })
  await history.journal.change((statements) => {
    statements.run(`UPDATE tool_call_bodies SET result = 'no JSON' WHERE seq = 2`)
    statements.run(`UPDATE messages SET body = body || '}'`)
  })
  expect(history.calls.find('bad')?.result).toBe('no JSON')
  expect(history.calls.list({ limit: 9 })).toHaveLength(2)
  expect(history.sessions.entries('one')).toEqual([])
})

it('finds calls by id prefix, through the index', async () => {
  expect(filled.calls.findByPrefix('call_19', 20).map(({ id }) => id)).toEqual([
    'call_19',
    ...Array.from({ length: 10 }, (_, digit) => `call_19${digit}`),
  ])
  expect(filled.calls.findByPrefix('call_19', 3)).toHaveLength(3)
  expect(filled.calls.findByPrefix('call_x', 3)).toEqual([])
  const plan = filled.journal.read((statements) =>
    statements.all("EXPLAIN QUERY PLAN SELECT * FROM tool_calls WHERE id >= 'a' AND id < 'b' ORDER BY id"),
  )
  expect(JSON.stringify(plan)).toContain('SEARCH')
})

it('names the server of an action in the console, and of nothing that only looks like one', async () => {
  using history = openState()
  const record = async (id: string, rule: string | null, args: unknown, server: string | null = null) => {
    const start = {
      id,
      server,
      tool: 'console:connect-server',
      arguments: args,
      ...(rule === null && { rule: { by: 'unknown' } as const }),
    }
    const call = await history.calls.recorder({ agent: 'default' }).start(start)
    if (rule !== null) call.decided('allow', parseRule(rule))
    call.ended('success', { isError: false, content: [] })
  }
  await record('connected', 'person:console', { server: 'files' })
  await record('added', 'person:console', { name: 'web', entry: {} })
  await record('tried', 'person:console', { server: 'x' }, 'tricky')
  await record('invented', null, { server: 5 })
  expect(history.calls.list({ limit: 9 }).map(({ id, about }) => [id, about])).toEqual([
    ['invented', 'server: 5'],
    ['tried', 'server: x'],
    ['added', 'web'],
    ['connected', 'files'],
  ])
  expect(history.calls.list({ server: null, limit: 9 }).map(({ id }) => id)).toEqual(['invented'])
})

it('the fence of a call is kept in words', async () => {
  using state = openState()
  const { find, recorder } = state.calls
  for (const [id, fence] of [
    ['held', { by: 'bubblewrap', network: 'none' }],
    ['free', { by: 'nothing', why: 'bubblewrap is not installed' }],
    ['plain', undefined],
  ] as const)
    (
      await recorder({ agent: 'default' }).start({ id, server: null, tool: 'run_command', arguments: {} })
    ).running(fence)
  expect(find('held')?.fence).toMatch(/^in a sandbox \(bubblewrap\)/)
  expect(find('free')?.fence).toBe('without a sandbox: bubblewrap is not installed')
  expect(find('plain')?.fence).toBeNull()
})
