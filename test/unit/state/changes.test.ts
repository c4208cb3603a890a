import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import { createChanges, type Topic } from '../../../packages/agent-api/src/state/changes.ts'
import { openState } from '../../../packages/agent-api/src/state/open-state.ts'
import type { Statements } from '../../../packages/agent-api/src/state/db/statements.ts'
import { newSession, recordCall } from '../../support/history-lab.ts'

const storedServersCheckMs = 1_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Changes of a state in memory, which count how often the database is asked for its version, and for what a topic needs. */
function openLab() {
  const state = openState()
  const counts = { versions: 0, looks: 0, told: [] as string[] }
  let isThere = true
  let fault: Error | undefined
  const journal = () => {
    if (!isThere) return undefined
    return {
      writes: state.journal.writes,
      generation: state.journal.generation,
      read: <T>(query: (statements: Statements) => T): T => {
        if (fault !== undefined) throw fault
        return state.journal.read((statements) => {
          const counted =
            (method: 'get' | 'all') =>
            (sql: string, ...values: readonly never[]) => {
              if (sql === 'PRAGMA data_version') counts.versions++
              else counts.looks++
              return statements[method](sql, ...values)
            }
          return query({ ...statements, get: counted('get'), all: counted('all') } as Statements)
        })
      },
    }
  }
  const changes = createChanges({ journal, timing: { storedServersCheckMs }, logger: silentLogger })
  return {
    state,
    counts,
    changes,
    watch: (topic: Topic, name: string = topic) => changes.watch(topic, () => counts.told.push(name)),
    setThere: (value: boolean) => (isThere = value),
    setFault: (error?: Error) => (fault = error),
    [Symbol.dispose]() {
      changes[Symbol.dispose]()
      state[Symbol.dispose]()
    },
  }
}

describe('one timer serves all', () => {
  it.each<readonly [number, Topic, number]>([
    [1, 'servers', 60],
    [9, 'servers', 60],
    [1, 'questions', 600],
    [9, 'questions', 600],
    [1, 'calls', 1_200],
  ])('%i listeners of %s read the version of the database %i times a minute', (count, topic, reads) => {
    using lab = openLab()
    for (let index = 0; index < count; index++) lab.watch(topic)
    if (topic !== 'servers') lab.watch('servers')
    Object.assign(lab.counts, { versions: 0, looks: 0 })
    const timers = vi.getTimerCount()
    vi.advanceTimersByTime(60_000)
    expect(lab.counts).toEqual({ versions: reads, looks: 0, told: [] })
    expect(vi.getTimerCount()).toBe(timers)
  })

  it('there is no timer while nothing is watched', () => {
    using state = openState()
    const idle = vi.getTimerCount()
    const stops = [state.changes.watch('servers', () => {}), state.changes.watch('calls', () => {})]
    expect(vi.getTimerCount()).toBe(idle + 1)
    for (const stop of stops) stop()
    expect(vi.getTimerCount()).toBe(idle)
  })

  it('after the end of the state, nothing is watched', () => {
    const idle = vi.getTimerCount()
    const state = openState()
    state[Symbol.dispose]()
    state.changes.watch('servers', () => {})
    expect(vi.getTimerCount()).toBe(idle)
  })

  it('a topic that is no longer watched does not keep the timer fast', () => {
    using lab = openLab()
    lab.watch('servers')
    const stop = lab.watch('calls')
    vi.advanceTimersByTime(1_000)
    stop()
    lab.counts.versions = 0
    vi.advanceTimersByTime(10_000)
    expect(lab.counts.versions).toBe(10)
  })
})

it('tells the listeners of what has changed, and no others', async () => {
  using lab = openLab()
  const topics: readonly Topic[] = ['calls', 'entries', 'sessions', 'servers', 'questions', 'presence']
  for (const topic of topics) lab.watch(topic)
  lab.watch('calls', 'calls again')
  const told = () => {
    vi.advanceTimersByTime(2_000)
    return lab.counts.told.splice(0).toSorted()
  }
  expect(told()).toEqual([])
  await recordCall(lab.state, { id: 'one', end: 'success' })
  expect(told()).toEqual(['calls', 'calls again'])
  const log = lab.state.sessions.log(newSession('s'), { isStored: false })
  expect(told()).toEqual(['sessions'])
  log.message({ role: 'user', id: 'm', content: [] })
  expect(told()).toEqual(['entries'])
  await lab.state.servers.insert({
    id: 'a',
    name: 'a',
    entry: {},
    secretStore: null,
    enabled: true,
    createdAt: '',
    updatedAt: '',
  })
  expect(told()).toEqual(['servers'])
  lab.state.servers.noteConnected('a')
  expect(told()).toEqual([])
  const body = { kind: 'page', server: 'a', message: 'Open it', url: 'https://example.com' } as const
  await lab.state.questions.open({ agent: 'default', sessionId: 's', body })
  expect(told()).toEqual(['questions'])
  const note = lab.state.presence.note({ agent: 'default', sessionId: 's', look: () => [] })
  note.changed()
  expect(told()).toEqual(['sessions'])
})

it('a reader is told that what it read has gone, also if that was there between two looks only', async () => {
  using lab = openLab()
  lab.watch('sessions')
  const sessions = () => {
    lab.changes.look('sessions')
    return lab.state.sessions.list({ limit: 1 }).length
  }
  lab.state.sessions.log(newSession('s'), { isStored: false }).set({ title: 'short' })
  expect(sessions()).toBe(1)
  await lab.state.sessions.delete('s')
  lab.counts.told.length = 0
  vi.advanceTimersByTime(1_000)
  expect(lab.counts.told).toEqual(['sessions'])
  expect(sessions()).toBe(0)
  expect(lab.counts.told).toEqual(['sessions'])
})

it('reads large topics less often while much is written', async () => {
  using lab = openLab()
  lab.watch('calls')
  lab.watch('sessions')
  const log = lab.state.sessions.log(newSession('s'), { isStored: false })
  for (let step = 0; step < 20; step++) {
    log.set({ title: `title ${step}` })
    vi.advanceTimersByTime(50)
  }
  log.set({ title: 'the last' })
  vi.advanceTimersByTime(450)
  expect(lab.counts.told).toEqual(['sessions', 'sessions'])
  vi.advanceTimersByTime(50)
  expect(lab.counts.told).toEqual(['sessions', 'sessions', 'sessions'])
})

it('notices state that is created later, and looks again after an error', async () => {
  using lab = openLab()
  lab.setThere(false)
  lab.watch('servers')
  vi.advanceTimersByTime(2_000)
  expect(lab.counts.told).toEqual([])
  lab.setThere(true)
  vi.advanceTimersByTime(1_000)
  expect(lab.counts.told).toEqual(['servers'])

  lab.setFault(new Error('locked'))
  await lab.state.servers.delete('a')
  lab.watch('calls')
  vi.advanceTimersByTime(2_000)
  await recordCall(lab.state, { id: 'one', end: 'success' })
  lab.setFault()
  vi.advanceTimersByTime(50)
  expect(lab.counts.told).toEqual(['servers', 'calls'])
})

it('a topic that can never be read does not keep others from being told', async () => {
  using lab = openLab()
  await lab.state.journal.change((statements) => statements.run('DROP TABLE questions'))
  lab.watch('questions')
  lab.watch('sessions')
  lab.state.sessions.log(newSession('s'), { isStored: false })
  vi.advanceTimersByTime(500)
  expect(lab.counts.told).toEqual(['sessions'])
})
