import { readdirSync, readlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import { createChanges, type Topic } from '../../../packages/agent-api/src/state/changes.ts'
import type { Statements } from '../../../packages/agent-api/src/state/db/statements.ts'
import { openState } from '../../../packages/agent-api/src/state/open-state.ts'
import { openTempDir } from '../../support/temp-dir.ts'

const timing = { storedServersCheckMs: 1_000 }
const minuteMs = 60_000
/** After this, the next look that nobody asked for is more than half a minute away: a rest begins after three seconds. */
const intoRestMs = 2 * minuteMs + 10_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** Changes of a state on disk, which count how often the database is asked for its version, and another process's view of it. */
async function openLab({ directory }: { readonly directory?: string | undefined } = {}) {
  const dir = await openTempDir()
  const stateDir = `${dir.path}/state`
  const options = { stateDir, timing: { databasePlaceCheckMs: 0 } }
  const [state, other] = [openState(options), openState(options)]
  let versions = 0
  const told: Topic[] = []
  const journal = () => ({
    writes: state.journal.writes,
    generation: state.journal.generation,
    read: <T>(query: (statements: Statements) => T): T =>
      state.journal.read((statements) =>
        query({
          ...statements,
          get(sql, ...values) {
            if (sql === 'PRAGMA data_version') versions++
            return statements.get(sql, ...values)
          },
        }),
      ),
  })
  const changes = createChanges({
    journal,
    directory: () => directory ?? stateDir,
    timing,
    logger: silentLogger,
  })
  let added = 0
  return {
    stateDir,
    told,
    watch: (topic: Topic) => changes.watch(topic, () => void told.push(topic)),
    /** How often the database was asked in this time. Nothing else happens in it. */
    asked(ms: number): number {
      const before = versions
      vi.advanceTimersByTime(ms)
      return versions - before
    },
    add: () =>
      other.servers.insert({
        id: String(++added),
        name: `server${added}`,
        entry: {},
        secretStore: null,
        enabled: true,
        createdAt: '',
        updatedAt: '',
      }),
    /** Lets the system tell of what it has to tell. Less than half the time until a look that nobody asked for passes. */
    async untilTold(count: number): Promise<void> {
      for (let passed = 0; told.length < count && passed < minuteMs / 2; passed += 50) {
        for (let turns = 0; turns < 20; turns++) await turn()
        vi.advanceTimersByTime(50)
      }
    },
    async [Symbol.asyncDispose]() {
      changes[Symbol.dispose]()
      other[Symbol.dispose]()
      state[Symbol.dispose]()
      await dir[Symbol.asyncDispose]()
    },
  }
}

it('while nothing is written, the database is asked once a minute', async () => {
  await using lab = await openLab()
  lab.watch('servers')
  expect(lab.asked(minuteMs)).toBeLessThan(10)
  const timers = vi.getTimerCount()
  expect(lab.asked(10 * minuteMs)).toBe(10)
  expect(vi.getTimerCount()).toBe(timers)
  expect(lab.told).toEqual([])
})

it('what another process writes ends the rest at once, each time, and the next rest begins soon', async () => {
  await using lab = await openLab()
  lab.watch('servers')
  for (const count of [1, 2, 3]) {
    lab.asked(intoRestMs)
    await lab.add()
    await lab.untilTold(count)
    expect(lab.told).toHaveLength(count)
  }
  lab.asked(minuteMs)
  expect(lab.asked(10 * minuteMs)).toBe(10)
})

it('somebody who waits ends the rest, and it begins again when nobody waits', async () => {
  await using lab = await openLab()
  lab.watch('servers')
  lab.asked(2 * minuteMs)
  const stop = lab.watch('questions')
  expect(lab.asked(minuteMs)).toBe(600)
  stop()
  lab.asked(minuteMs)
  expect(lab.asked(minuteMs)).toBe(1)
})

it('where changes are not told, they are found within a minute, and after the second one within a second', async () => {
  await using elsewhere = await openTempDir()
  await using lab = await openLab({ directory: elsewhere.path })
  lab.watch('servers')
  for (const count of [1, 2]) {
    lab.asked(2 * minuteMs)
    await lab.add()
    lab.asked(minuteMs)
    expect(lab.told).toHaveLength(count)
  }
  expect(lab.asked(2 * minuteMs)).toBe(120)
  await lab.add()
  lab.asked(1_000)
  expect(lab.told).toHaveLength(3)
})

it.each([
  ['is missing', '/no/such/directory'],
  ['may be written by another machine', '/proc'],
])('a directory that %s is no place to rest', async (_, directory) => {
  await using lab = await openLab({ directory })
  lab.watch('servers')
  expect(lab.asked(2 * minuteMs)).toBe(120)
})

it('a database that is deleted during a rest is noticed at once', async () => {
  await using lab = await openLab()
  lab.watch('servers')
  lab.asked(intoRestMs)
  await rm(lab.stateDir, { recursive: true })
  await lab.untilTold(1)
  expect(lab.told).toEqual(['servers'])
})

it('all rests of a process cost one descriptor', async () => {
  const watchers = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === 'anon_inode:inotify'
      } catch {
        return false
      }
    }).length
  await using lab = await openLab()
  await using another = await openLab()
  lab.watch('servers')
  lab.asked(minuteMs)
  const one = watchers()
  another.watch('servers')
  for (let count = 0; count < 20; count++) {
    lab.asked(minuteMs)
    another.asked(minuteMs)
  }
  expect(one).toBeGreaterThan(0)
  expect(watchers()).toBe(one)
})
