import { existsSync } from 'node:fs'
import {
  chmod,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CallRecord } from '../../packages/agent-api/src/state/calls/call.ts'
import { openDatabase } from '../../packages/agent-api/src/state/db/database.ts'
import type { State } from '../../packages/agent-api/src/state/state.ts'
import {
  createStoredState,
  openState,
  openStoredState,
} from '../../packages/agent-api/src/state/open-state.ts'
import { createLogLines, newSession, recordCall } from '../support/history-lab.ts'
import { makeFifo } from '../support/make-fifo.ts'
import { canMount, mountDisk, remountDisk, unmountDisk } from '../support/small-disk.ts'
import { openTempDir } from '../support/temp-dir.ts'

const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')

const filledCalls = 60

/** Creates a history file with so many calls. */
async function fill(stateDir: string): Promise<string> {
  using history = openState({ stateDir })
  history.sessions.log(newSession('one'), { isStored: false }).beginTurn([{ type: 'text', text: 'hello' }])
  for (let index = 0; index < filledCalls; index++)
    await recordCall(history, {
      id: `call_${index}`,
      sessionId: 'one',
      turn: 1,
      end: 'success',
      text: 'x'.repeat(500),
    })
  return join(stateDir, 'ostler.db')
}

function withFifo(folder: string, name: string): Promise<string> {
  makeFifo(join(folder, name))
  return Promise.resolve(folder)
}

async function corruptFiles(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((file) => file.includes('.corrupt-') && !/-(wal|shm)$/.test(file))
}

async function works(history: State): Promise<void> {
  const log = history.sessions.log(newSession('after'), { isStored: false })
  log.beginTurn([{ type: 'text', text: 'still here' }])
  await recordCall(history, { id: 'after', sessionId: 'after', turn: 1, end: 'success', text: 'fine' })
  expect(history.calls.find('after')).toMatchObject({ status: 'success', sessionId: 'after' })
  expect(history.sessions.list({ limit: 9 }).map(({ id }) => id)).toContain('after')
  expect(history.sessions.entries('after')).toHaveLength(1)
}

describe('an unusable place', () => {
  const cases: readonly (readonly [string, (folder: string) => Promise<string>, RegExp])[] = [
    [
      'a file',
      async (folder) => (await writeFile(join(folder, 'file'), ''), join(folder, 'file')),
      /is not a directory, so it is not used/,
    ],
    [
      'below a file',
      async (folder) => (await writeFile(join(folder, 'file'), ''), join(folder, 'file/state')),
      /part of the path is a file/,
    ],
    [
      'a link to nowhere',
      async (folder) => (await symlink(join(folder, 'gone/far'), join(folder, 'link')), join(folder, 'link')),
      /it is not a directory/,
    ],
    ['where nothing can be created', () => Promise.resolve('/proc/ostler/state'), /cannot be used/],
    [
      'a directory in the place of the file',
      async (folder) => (await mkdir(join(folder, 'ostler.db')), folder),
      /ostler\.db is not a regular file/,
    ],
    [
      'a pipe in the place of the file',
      (folder) => withFifo(folder, 'ostler.db'),
      /ostler\.db is not a regular file/,
    ],
    [
      'a pipe in the place of its log',
      (folder) => withFifo(folder, 'ostler.db-wal'),
      /ostler\.db-wal is not a regular file/,
    ],
    [
      'a pipe in the place of its index',
      (folder) => withFifo(folder, 'ostler.db-shm'),
      /ostler\.db-shm is not a regular file/,
    ],
    [
      'a link to a device in the place of the file',
      async (folder) => (await symlink('/dev/zero', join(folder, 'ostler.db')), folder),
      /ostler\.db is not a regular file/,
    ],
  ]
  it.each(cases)(
    'is %s: history lasts as long as the process, which is reported',
    async (_, prepare, reason) => {
      await using folder = await openTempDir()
      const stateDir = await prepare(folder.path)
      const log = createLogLines()
      using history = openState({ stateDir, logger: log.logger })
      expect(log.warnings()).toEqual([expect.stringMatching(reason)])
      expect(history.onlyInMemory).toBeTypeOf('string')
      await works(history)
      expect(() => createStoredState({ stateDir })).toThrow(
        expect.objectContaining({
          name: 'OstlerError',
          message: expect.stringMatching(/cannot be used|is not used/),
        }),
      )
    },
  )
})

it('creates missing parents, follows a link, and keeps all of it private regardless of the umask', async () => {
  await using folder = await openTempDir()
  const before = process.umask(0)
  onTestFinished(() => void process.umask(before))
  const real = join(folder.path, 'a/b/state')
  using history = openState({ stateDir: real })
  await works(history)
  expect((await stat(real)).mode & 0o777).toBe(0o700)
  for (const file of await readdir(real))
    expect((await stat(join(real, file))).mode & 0o777, file).toBe(0o600)
  expect((await readdir(real)).toSorted()).toEqual(['ostler.db', 'ostler.db-shm', 'ostler.db-wal'])

  // Permissions widened by others are repaired at the next start.
  for (const file of await readdir(real)) await chmod(join(real, file), 0o644)
  await symlink(real, join(folder.path, 'link'))
  using other = openState({ stateDir: join(folder.path, 'link') })
  expect(other.calls.find('after')?.status).toBe('success')
  for (const file of await readdir(real))
    expect((await stat(join(real, file))).mode & 0o777, file).toBe(0o600)
})

describe('a damaged file', () => {
  const damages: readonly (readonly [string, (path: string) => Promise<void>])[] = [
    ['garbage', (path) => writeFile(path, Buffer.alloc(50_000, 'garbage '))],
    ['cut short', (path) => truncate(path, 4_096 * 3)],
    ['with a broken header', (path) => overwrite(path, 0, 100)],
    ['with a broken schema', (path) => overwrite(path, 100, 3_000)],
  ]
  it.each(damages)('%s is set aside at the start, and a new file replaces it', async (_, damage) => {
    await using folder = await openTempDir()
    const path = await fill(folder.path)
    await damage(path)
    const broken = await readFile(path)
    const log = createLogLines()
    using history = openState({ stateDir: folder.path, logger: log.logger })
    await works(history)
    expect(history.calls.list({ limit: 500 }).map(({ id }) => id)).toEqual(['after'])
    const [aside, ...more] = await corruptFiles(folder.path)
    expect(more).toEqual([])
    expect(log.warnings()).toEqual([expect.stringContaining(join(folder.path, aside ?? ''))])
    expect(history.onlyInMemory).toBeUndefined()
    // Nothing of the file is discarded.
    expect((await readFile(join(folder.path, aside ?? ''))).equals(broken)).toBe(true)
  })

  it('counts as new if it is empty', async () => {
    await using folder = await openTempDir()
    await writeFile(join(folder.path, 'ostler.db'), '')
    const log = createLogLines()
    using history = openState({ stateDir: folder.path, logger: log.logger })
    await works(history)
    expect(log.warnings()).toEqual([])
  })

  it('is found by a later reader or writer: reported once, and work continues', async () => {
    await using folder = await openTempDir()
    const path = await fill(folder.path)
    // All pages except the schema's, so that opening still works.
    const { size } = await stat(path)
    await overwrite(path, 4_096 * 12, size - 4_096 * 12)
    const log = createLogLines()
    using history = openState({ stateDir: folder.path, logger: log.logger })
    const session = history.sessions.log(newSession('two'), { isStored: false })
    session.beginTurn([{ type: 'text', text: 'hello' }])
    for (let index = 0; index < 20; index++)
      await recordCall(history, { id: `later_${index}`, sessionId: 'two', turn: 1, end: 'success' })
    expect(history.sessions.entries('one')).toEqual([])
    await works(history)
    session.event({ type: 'text', messageId: 'msg', text: 'and on' })
    expect(history.sessions.find('two')).toBeDefined()
    expect(await corruptFiles(folder.path)).toHaveLength(1)
    expect(log.warnings()).toEqual([expect.stringContaining('the history was damaged')])
  })

  it('is reported to a reader, as a sentence, and once', async () => {
    await using folder = await openTempDir()
    const path = await fill(folder.path)
    await writeFile(path, Buffer.alloc(50_000, 'garbage '))
    expect(() => openStoredState({ stateDir: folder.path })).toThrow(
      expect.objectContaining({ code: 'history.damaged', message: expect.stringContaining('.corrupt-') }),
    )
    using history = openStoredState({ stateDir: folder.path })
    expect(history?.calls.list({ limit: 9 })).toEqual([])
  })

  it('is reported to a reader, even when it is found late', async () => {
    await using folder = await openTempDir()
    const path = await fill(folder.path)
    const { size } = await stat(path)
    await overwrite(path, 4_096 * 40, size - 4_096 * 40)
    expect(() => {
      using history = openStoredState({ stateDir: folder.path })
      for (let index = 0; index < filledCalls; index++) history?.calls.find(`call_${index}`)
      history?.sessions.entries('one')
    }).toThrow(expect.objectContaining({ code: 'history.damaged' }))
  })

  it('keeps a call that was running when it was found', async () => {
    await using folder = await openTempDir()
    const path = await fill(folder.path)
    using history = openState({ stateDir: folder.path, timing: { databasePlaceCheckMs: 0 } })
    const log = history.sessions.log(newSession('two'), { isStored: false })
    log.beginTurn([{ type: 'text', text: 'hello' }])
    const record = await history.calls
      .recorder({ agent: 'default', sessionId: 'two', turn: 1 })
      .start({ id: 'running', server: 'files', tool: 'read', arguments: { a: 1 } })
    await rename(path, `${path}.moved`)
    record.ended('success', { isError: false, content: [{ type: 'text', text: 'there' }] })
    expect(history.calls.find('running')).toMatchObject({ status: 'success', arguments: { a: 1 } })
    log.event({ type: 'text', messageId: 'msg', text: 'and on' })
    // The data that the turn depends on is copied to the new database.
    expect(history.sessions.entries('two').map(({ kind }) => kind)).toEqual(['prompt', 'event'])
    expect(existsSync(path)).toBe(true)
  })

  it.each<[string, (record: CallRecord) => void, object]>([
    ['decided', (record) => record.decided('allow', { by: 'reads' }), { decision: 'allow' }],
    ['running', (record) => record.running(), { status: 'running' }],
  ])('keeps a call that is %s after it was found', async (_, change, row) => {
    await using folder = await openTempDir()
    const path = await fill(folder.path)
    using history = openState({ stateDir: folder.path, timing: { databasePlaceCheckMs: 0 } })
    const record = await history.calls
      .recorder({ agent: 'default' })
      .start({ id: 'waiting', server: 'files', tool: 'read', arguments: { a: 1 } })
    await rename(path, `${path}.moved`)
    change(record)
    expect(history.calls.find('waiting')).toMatchObject({ ...row, arguments: { a: 1 } })
  })
})

it('starts over when its directory is deleted while in use', async () => {
  await using folder = await openTempDir()
  const stateDir = join(folder.path, 'state')
  const log = createLogLines()
  using history = openState({ stateDir, timing: { databasePlaceCheckMs: 0 }, logger: log.logger })
  await works(history)
  await rm(stateDir, { recursive: true })
  await recordCall(history, { id: 'new', end: 'success' })
  expect(history.calls.list({ limit: 9 }).map(({ id }) => id)).toEqual(['new'])
  expect(existsSync(join(stateDir, 'ostler.db'))).toBe(true)
  expect(log.warnings()).toEqual([expect.stringContaining('moved or deleted')])
})

it('rejects a database of a newer Ostler with a clear message, and leaves it unchanged', async () => {
  await using folder = await openTempDir()
  const path = await fill(folder.path)
  const database = new DatabaseSync(path)
  database.exec('PRAGMA user_version = 1000')
  database.close()
  const log = createLogLines()
  using history = openState({ stateDir: folder.path, logger: log.logger })
  await works(history)
  expect(log.warnings()).toEqual([expect.stringContaining('written by a newer Ostler than this one')])
  expect(() => openStoredState({ stateDir: folder.path })).toThrow(
    expect.objectContaining({ code: 'history.too_new' }),
  )
  const after = new DatabaseSync(path)
  expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1000 })
  expect(after.prepare('SELECT count(*) AS count FROM tool_calls').get()).toEqual({ count: filledCalls })
  after.close()
})

it('migrates a database that only has grants, and keeps them', async () => {
  await using folder = await openTempDir()
  const database = new DatabaseSync(join(folder.path, 'ostler.db'))
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE grants (
      id INTEGER PRIMARY KEY, agent TEXT NOT NULL, server TEXT, tool TEXT NOT NULL,
      verdict TEXT NOT NULL CHECK (verdict IN ('allow', 'deny')), pin TEXT NOT NULL, created_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX grants_by_agent ON grants (agent);
    INSERT INTO grants VALUES (7, 'default', 'files', 'read', 'allow', '{"definition":"d","identity":"i","parts":{}}', '2026-01-01T00:00:00.000Z');
    -- Nobody was told that these are for the pages of all hosts.
    INSERT INTO grants VALUES (8, 'default', NULL, 'fetch_url', 'allow', '{"definition":"d","identity":"i","parts":{}}', '2026-01-01T00:00:00.000Z');
    INSERT INTO grants VALUES (9, 'other', NULL, 'fetch_url', 'deny', '{"definition":"d","identity":"i","parts":{}}', '2026-01-01T00:00:00.000Z');
    PRAGMA user_version = 1`)
  database.close()
  using history = openState({ stateDir: folder.path })
  expect(history.servers.grants('default').list()).toEqual([
    expect.objectContaining({
      id: 7,
      verdict: 'allow',
      ref: { server: 'files', tool: 'read' },
      pin: { definition: 'd', identity: 'i', parts: {} },
    }),
  ])
  expect(history.servers.grants('other').list()).toEqual([
    expect.objectContaining({ id: 9, verdict: 'deny' }),
  ])
  // Space of deleted rows can be returned to the disk, as in a new file.
  expect(history.journal.read(({ get }) => get('PRAGMA auto_vacuum'))).toEqual({ auto_vacuum: 2 })
  await works(history)
})

it('keeps data while the disk is full, and writes it when there is room', async () => {
  await using folder = await openTempDir()
  const log = createLogLines()
  using history = openState({ stateDir: folder.path, logger: log.logger })
  const pages = history.journal.read(({ get }) => Number(get('PRAGMA page_count')?.['page_count']))
  history.journal.read(({ database }) => database.exec(`PRAGMA max_page_count = ${pages}`))
  for (let index = 0; index < 50; index++)
    await recordCall(history, { id: `call_${index}`, end: 'success', text: 'x'.repeat(5_000) })
  expect(log.warnings()).toEqual([expect.stringContaining('the disk is full')])
  const kept = history.calls.list({ limit: 100 }).length
  expect(kept).toBeLessThan(50)
  await expect(
    history.servers.grants('default').add(Array.from({ length: 200 }, () => grant)),
  ).rejects.toThrow(expect.objectContaining({ code: 'history.unwritable' }))

  history.journal.read(({ database }) => database.exec('PRAGMA max_page_count = 1000000'))
  await expect
    .poll(() => history.calls.list({ status: 'success', limit: 100 }).length, { timeout: 20_000 })
    .toBe(50)
  expect(log.warnings()).toHaveLength(1)
})

const grant = {
  ref: { server: 'files', tool: 'read' },
  verdict: 'allow',
  scope: 'always',
  pin: { definition: 'd'.repeat(5_000), identity: 'i', parts: {} },
} as const

// Only root can mount a small disk.
it.skipIf(!canMount)('survives a disk that is really full', async () => {
  await using folder = await openTempDir()
  mountDisk(folder.path, '2m')
  try {
    const log = createLogLines()
    using history = openState({ stateDir: folder.path, logger: log.logger })
    const session = history.sessions.log(newSession('one'), { isStored: false })
    session.beginTurn([{ type: 'text', text: 'fill it' }])
    for (let index = 0; index < 200; index++)
      await recordCall(history, {
        id: `call_${index}`,
        sessionId: 'one',
        turn: 1,
        end: 'success',
        text: 'x'.repeat(10_000),
      })
    expect(log.warnings()).toEqual([expect.stringContaining('the disk is full')])
    const kept = history.calls.list({ status: 'success', limit: 500 }).length
    expect(kept).toBeGreaterThan(5)
    expect(kept).toBeLessThan(200)

    remountDisk(folder.path, 'size=64m')
    await expect
      .poll(() => history.calls.list({ status: 'success', limit: 500 }).length, { timeout: 20_000 })
      .toBe(200)
    expect(history.journal.read(({ all }) => all('PRAGMA quick_check'))).toEqual([{ quick_check: 'ok' }])
  } finally {
    unmountDisk(folder.path)
  }
})

it.skipIf(!canMount)('works without a file on a read-only disk', async () => {
  await using folder = await openTempDir()
  mountDisk(folder.path, '16m')
  try {
    await fill(folder.path)
    remountDisk(folder.path, 'ro')
    const log = createLogLines()
    using history = openState({ stateDir: folder.path, logger: log.logger })
    expect(log.warnings()).toEqual([expect.stringMatching(/is read-only/)])
    await works(history)
    expect(() => createStoredState({ stateDir: folder.path })).toThrow(
      expect.objectContaining({ code: 'history.unusable' }),
    )
    const looked = openStoredState({ stateDir: folder.path })
    expect(looked?.calls.list({ limit: 500 })).toHaveLength(filledCalls)
    looked?.[Symbol.dispose]()
    history[Symbol.dispose]()
  } finally {
    unmountDisk(folder.path)
  }
})

it('is created once when two processes open it at the same time', async () => {
  await using folder = await openTempDir()
  using one = openState({ stateDir: folder.path })
  using two = openState({ stateDir: folder.path })
  await recordCall(one, { id: 'one', end: 'success' })
  expect(two.calls.find('one')?.status).toBe('success')
  expect(openDatabase(folder.path).database.close()).toBeUndefined()
  await recordCall(two, { id: 'two', end: 'success' })
  expect(one.calls.find('two')?.status).toBe('success')
})

async function overwrite(path: string, from: number, length: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(length, 0xa5), 0, length, from)
  await file.close()
}
