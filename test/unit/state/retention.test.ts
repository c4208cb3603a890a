import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { State } from '../../../packages/agent-api/src/state/state.ts'
import { openState } from '../../../packages/agent-api/src/state/open-state.ts'
import { sweep, type RetentionOptions } from '../../../packages/agent-api/src/state/retention.ts'
import { newSession, recordCall } from '../../support/history-lab.ts'
import { until } from '../../support/processes.ts'
import { openTempDir } from '../../support/temp-dir.ts'

const dayMs = 24 * 60 * 60 * 1_000

function clear(history: State, options: Partial<RetentionOptions> = {}): Promise<void> {
  const defaults: RetentionOptions = {
    journal: history.journal,
    agent: 'default',
    retention: { keepDays: 90, maxBytes: 1024 ** 3 },
    isInMemory: () => false,
    isOpen: () => false,
  }
  return sweep({ ...defaults, ...options }, new AbortController().signal)
}

/** Backdates a session and its calls. */
function age(history: State, session: string, days: number): void {
  const at = new Date(Date.now() - days * dayMs).toISOString()
  void history.journal.change((statements) => {
    statements.run(
      'UPDATE sessions SET created_at = ?1, opened_at = ?1, updated_at = ?1 WHERE id = ?2',
      at,
      session,
    )
    statements.run('UPDATE tool_calls SET started_at = ? WHERE session_id = ?', at, session)
    statements.run(
      `INSERT INTO call_hours SELECT substr(started_at, 1, 13), min(seq), max(seq) FROM tool_calls WHERE session_id = ? GROUP BY 1
         ON CONFLICT (hour) DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)`,
      session,
    )
  })
}

async function addSession(
  history: State,
  id: string,
  { agent = 'default', calls = 2, turns = 1, text = 'x' } = {},
): Promise<void> {
  const log = history.sessions.log(newSession(id, { agent }), { isStored: false })
  if (turns > 0) log.beginTurn([{ type: 'text', text: 'hello' }])
  for (let index = 0; index < calls; index++) {
    await recordCall(history, {
      id: `${id}-${index}`,
      agent,
      sessionId: id,
      turn: 1,
      server: `server of ${id}`,
      end: 'success',
      text,
    })
  }
  history.sessions.release(id)
}

function idsOf(history: State): readonly string[] {
  return history.sessions
    .list({ limit: 99 })
    .map(({ id }) => id)
    .toSorted()
}

it('deletes old sessions and calls of this agent, and nothing else', async () => {
  using history = openState()
  await addSession(history, 'old', { calls: 150 })
  await addSession(history, 'open')
  await addSession(history, 'new')
  await addSession(history, 'others', { agent: 'other' })
  for (const id of ['old', 'open', 'others']) age(history, id, 91)
  age(history, 'new', 89)
  await clear(history, { isOpen: (id) => id === 'open' })

  expect(idsOf(history)).toEqual(['new', 'open', 'others'])
  expect(history.sessions.entries('old')).toEqual([])
  // Calls have their own age, regardless of their session.
  expect(new Set(history.calls.list({ limit: 500 }).map(({ sessionId }) => sessionId))).toEqual(
    new Set(['new', 'others']),
  )
  expect(history.calls.list({ text: 'old', limit: 9 })).toEqual([])
  expect(history.calls.tools().map(({ server }) => server)).toEqual(['server of new', 'server of others'])
})

it('keeps calls that have not ended, however old they are', async () => {
  using history = openState()
  await recordCall(history, { id: 'waiting' })
  await history.journal.change((statements) =>
    statements.run(`UPDATE tool_calls SET started_at = '2001-01-01T00:00:00.000Z'`),
  )
  await clear(history, { retention: { keepDays: 1, maxBytes: 1 } })
  expect(history.calls.find('waiting')?.status).toBe('pending')
})

it('deletes sessions without a prompt after a day', async () => {
  using history = openState()
  for (const id of ['empty', 'empty and open', 'empty and new', 'used'])
    await addSession(history, id, { calls: 0, turns: id === 'used' ? 1 : 0 })
  for (const id of ['empty', 'empty and open', 'used']) age(history, id, 2)
  await clear(history, { isOpen: (id) => id === 'empty and open' })
  expect(idsOf(history)).toEqual(['empty and new', 'empty and open', 'used'])
})

it('a reopened session is not old', async () => {
  using history = openState()
  await addSession(history, 'old')
  age(history, 'old', 200)
  const stored = history.sessions.find('old')
  history.sessions.log(stored!, { isStored: true })
  await clear(history)
  expect(idsOf(history)).toEqual(['old'])
})

it('deletes the least recently used data until it is small enough, and frees disk space', async () => {
  await using folder = await openTempDir()
  using history = openState({ stateDir: folder.path })
  for (let index = 0; index < 20; index++) {
    await addSession(history, `session-${index}`, {
      calls: 40,
      text: `${index} ${'words of a result '.repeat(300)}`,
      agent: index % 2 === 0 ? 'default' : 'other',
    })
    age(history, `session-${index}`, 20 - index)
  }
  const bytes = () => {
    history.journal.read(({ all }) => all('PRAGMA wal_checkpoint(TRUNCATE)'))
    return statSync(join(folder.path, 'ostler.db')).size
  }
  const before = bytes()
  const maxBytes = Math.round(before / 2)
  await clear(history, { retention: { keepDays: 90, maxBytes } })
  expect(bytes()).toBeLessThanOrEqual(maxBytes)
  expect(bytes()).toBeGreaterThan(maxBytes * 0.6)
  const left = idsOf(history)
  // The newest remain, the oldest are gone, and there is no gap.
  expect(left).toContain('session-19')
  expect(left).not.toContain('session-0')
  expect(history.calls.list({ sessionId: 'session-19', limit: 99 })).toHaveLength(40)
  expect(history.journal.read(({ all }) => all('PRAGMA integrity_check'))).toEqual([
    { integrity_check: 'ok' },
  ])
  expect(history.calls.list({ text: 'words', agent: 'other', limit: 99 }).length).toBeGreaterThan(20)
})

it('also limits data in memory', async () => {
  using history = openState()
  for (let index = 0; index < 10; index++)
    await addSession(history, `session-${index}`, { calls: 20, text: 'x'.repeat(20_000) })
  await clear(history, {
    retention: { keepDays: 90, maxBytes: 2 * 1024 ** 2 },
    isInMemory: () => true,
    isOpen: (id) => id === 'session-0',
  })
  expect(idsOf(history)).toContain('session-0')
  const used = history.journal.read(({ get }) => {
    const pragma = (name: string) => Number(get(`PRAGMA ${name}`)?.[name])
    return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
  })
  expect(used).toBeLessThan(2 * 1024 ** 2)
})

it('stops at once when asked, and does nothing while the database is locked', async () => {
  using history = openState()
  await addSession(history, 'old', { calls: 150 })
  age(history, 'old', 100)
  await sweep(
    {
      journal: history.journal,
      agent: 'default',
      retention: { keepDays: 1, maxBytes: 1 },
      isInMemory: () => false,
      isOpen: () => false,
    },
    AbortSignal.abort(),
  )
  expect(history.calls.list({ limit: 500 })).toHaveLength(150)
  await clear(history, {
    journal: { ...history.journal, read: history.journal.read, tryChange: () => undefined },
  })
  expect(history.calls.list({ limit: 500 })).toHaveLength(150)
})

describe('a clock that is wrong for a while', () => {
  afterEach(() => void vi.useRealTimers())
  const setClock = (days: number) => vi.useFakeTimers({ toFake: ['Date'], now: realNow() + days * dayMs })
  const realNow = () => performance.timeOrigin + performance.now()

  it('deletes nothing, in no process, while it is ahead or after it is right again', async () => {
    await using folder = await openTempDir()
    const sweepAt = async (days: number) => {
      setClock(days)
      using history = openState({ stateDir: folder.path })
      await clear(history)
      return [idsOf(history), history.calls.list({ limit: 9 }).length]
    }
    {
      using history = openState({ stateDir: folder.path })
      await addSession(history, 'kept')
    }
    for (const days of [0, 100, 100.01, 100.1, 0.2, 0.3])
      expect(await sweepAt(days), String(days)).toEqual([['kept'], 2])
    // A holiday of 100 days is not a wrong clock.
    expect(await sweepAt(100)).toEqual([['kept'], 2])
    expect(await sweepAt(101.1)).toEqual([[], 0])
  })

  it('a session from a time in the past ages from now on', async () => {
    using history = openState()
    setClock(-20_000)
    await addSession(history, 'from 1972')
    vi.useRealTimers()
    await clear(history)
    expect(idsOf(history)).toEqual(['from 1972'])
    expect(history.calls.list({ limit: 9 })).toHaveLength(2)
    age(history, 'from 1972', 91)
    await clear(history)
    expect(idsOf(history)).toEqual([])
    expect(history.calls.list({ limit: 9 })).toHaveLength(0)
  })
})

it('a deleted session gives its space back to the disk', async () => {
  await using folder = await openTempDir()
  using history = openState({
    stateDir: folder.path,
    clearing: { agent: 'default', retention: { keepDays: 90, maxBytes: 1024 ** 3 } },
  })
  await addSession(history, 'large', { calls: 50, text: 'x'.repeat(20_000) })
  const pages = () => history.journal.read(({ get }) => Number(get('PRAGMA page_count')?.['page_count']))
  const before = pages()
  const lastSweep = () => history.journal.read(({ get }) => get('SELECT seen_at FROM clock'))
  const noSweep = lastSweep()
  await history.sessions.delete('large')
  await until('a smaller file', () => pages() < before / 2)
  expect(lastSweep()).toEqual(noSweep)
  expect(history.calls.list({ limit: 9 })).toEqual([])
})
