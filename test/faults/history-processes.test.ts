import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openDatabase } from '../../packages/agent-api/src/state/db/database.ts'
import { openState } from '../../packages/agent-api/src/state/open-state.ts'
import { fateOf, processMark } from '../../packages/agent-api/src/state/presence/process-mark.ts'
import { restoreConversation } from '../../packages/agent-api/src/state/sessions/restore-conversation.ts'
import { createLogLines, newSession, recordCall } from '../support/history-lab.ts'
import { startHistoryProcess } from '../support/history-processes.ts'
import { openTempDir } from '../support/temp-dir.ts'

/** Each round kills two. */
const rounds = 5
/** Generous, because a busy machine is not a failure. */
const patience = { timeout: 20_000 }

it(`loses no acknowledged row in ${2 * rounds} kills at random moments`, async () => {
  await using folder = await openTempDir()
  let acknowledged = 0
  for (let round = 0; round < rounds; round++) {
    // Two at once: one is killed while the other writes.
    await using victim = startHistoryProcess('writer', folder.path, `victim${round}`, '1000000')
    await using other = startHistoryProcess('writer', folder.path, `other${round}`, '1000000')
    await Promise.all([victim, other].map((each) => each.line((line) => line.endsWith('-5'))))
    await sleep(Math.random() * 150)
    await Promise.all([victim.kill(), other.kill()])

    const { database } = openDatabase(folder.path)
    expect(database.prepare('PRAGMA quick_check').all()).toEqual([{ quick_check: 'ok' }])
    database.close()
    using history = openState({ stateDir: folder.path })
    for (const name of [`victim${round}`, `other${round}`]) {
      const said = (name.startsWith('victim') ? victim : other).lines.filter((line) =>
        line.startsWith(`${name}-`),
      )
      const shown = history.sessions
        .entries(`session-${name}`)
        .flatMap((entry) =>
          entry.kind === 'event' && entry.event.type === 'text' ? [entry.event.text.trim()] : [],
        )
      expect(shown).toEqual(expect.arrayContaining(said))
      for (const id of said) expect(history.calls.find(id)?.status, id).toBe('success')
      expect(history.calls.list({ text: said.at(-1)?.replace('-', ' '), limit: 1 })).toHaveLength(1)
      acknowledged += said.length
    }
    // A call of each may have been cut off. None is left open, and everything is readable.
    expect(history.calls.list({ status: 'pending', limit: 9 })).toEqual([])
    expect(history.calls.list({ status: 'running', limit: 9 })).toEqual([])
    expect(
      await restoreConversation(history.sessions.entryPages(`session-victim${round}`), history.calls.find, {
        isOwnCommand: () => true,
      }),
    ).toBeInstanceOf(Array)
  }
  expect(acknowledged).toBeGreaterThan(rounds * 2)
}, 300_000)

it('accepts a thousand rows from each of two processes without an error', async () => {
  await using folder = await openTempDir()
  const count = 1_000
  const names = ['one', 'two']
  const writers = names.map((name) => startHistoryProcess('writer', folder.path, name, String(count)))
  try {
    await Promise.all(writers.map((writer) => writer.line((line) => line === 'done')))
    expect(writers.flatMap(({ lines }) => lines.filter((line) => line.startsWith('log')))).toEqual([])
  } finally {
    await Promise.all(writers.map((writer) => writer[Symbol.asyncDispose]()))
  }
  using history = openState({ stateDir: folder.path })
  const counted = history.journal.read((statements) =>
    statements.all(
      `SELECT session_id AS id, count(*) AS calls FROM tool_calls WHERE status = 'success' GROUP BY 1 ORDER BY 1`,
    ),
  )
  expect(counted).toEqual(
    names.map((name) => expect.objectContaining({ id: `session-${name}`, calls: count })),
  )
  for (const name of names) expect(history.sessions.entries(`session-${name}`)).toHaveLength(count + 1)
}, 300_000)

it('marks the calls of dead processes as interrupted, and never those of living ones', async () => {
  await using folder = await openTempDir()
  await using living = startHistoryProcess('holder', folder.path, 'call')
  await living.line((line) => line === 'ready')
  {
    using history = openState({ stateDir: folder.path })
    expect(history.calls.find('held')?.status).toBe('running')
  }
  await living.kill()
  using history = openState({ stateDir: folder.path })
  expect(history.calls.find('held')).toMatchObject({
    status: 'interrupted',
    error: expect.stringContaining('It may have run'),
  })
  expect(history.calls.list({ status: 'interrupted', text: 'held txt', limit: 9 })).toHaveLength(1)
})

it.runIf(process.platform === 'linux')('a zombie counts as ended', async () => {
  const [machine, space, , start] = processMark().split(' ')
  // The shell starts a child and then becomes a program that never reaps it.
  const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const zombie = line.toString().trim()
    await expect.poll(() => fateOf([machine, space, zombie, ''].join(' ')), { timeout: 20_000 }).toBe('ended')
    await expect
      .poll(() => fateOf([machine, space, zombie, start].join(' ')), { timeout: 20_000 })
      .toBe('ended')
  } finally {
    parent.kill('SIGKILL')
  }
})

it('continues while another program locks the database, and writes everything afterwards', async () => {
  await using folder = await openTempDir()
  const log = createLogLines()
  using history = openState({
    stateDir: folder.path,
    timing: { databaseWaitMs: 1_000 },
    logger: log.logger,
  })
  await using holder = startHistoryProcess('holder', folder.path, 'lock')
  await holder.line((line) => line === 'ready')

  // The first call waits for the other program and then continues. Later calls do not wait.
  const order: string[] = []
  const first = recordCall(history, { id: 'first', end: 'success' }).then(() => order.push('first call'))
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  order.push('others had their turn')
  await first
  expect(order).toEqual(['others had their turn', 'first call'])
  for (let index = 0; index < 100; index++) await recordCall(history, { id: `more-${index}`, end: 'success' })
  expect(history.calls.list({ limit: 9 })).toEqual([])
  expect(log.warnings()).toEqual([expect.stringContaining('it is in use by another program')])

  holder.child.stdin.end()
  await expect.poll(() => history.calls.list({ status: 'success', limit: 200 }).length, patience).toBe(101)
  await expect.poll(() => log.lines.at(-1)?.message, patience).toBe('the history is being written again')
})

it('reports data that could not be written before the end', async () => {
  await using folder = await openTempDir()
  const log = createLogLines()
  const history = openState({ stateDir: folder.path, timing: { databaseFinishMs: 50 }, logger: log.logger })
  await using holder = startHistoryProcess('holder', folder.path, 'lock')
  await holder.line((line) => line === 'ready')
  history.journal.write((statements) => void statements.run('UPDATE call_changes SET last = 7'))
  history[Symbol.dispose]()
  expect(log.warnings()).toEqual([expect.stringContaining('could not be written before the end')])
})

it('is created by one of several processes that start at once, and used by all', async () => {
  for (let round = 0; round < 2; round++) {
    await using folder = await openTempDir()
    const names = ['one', 'two', 'three', 'four']
    const said = await openAtOnce(join(folder.path, 'new/state'), names)
    expect(said).toEqual(names.map(() => ({ warnings: [], onlyInMemory: null })))
    using history = openState({ stateDir: join(folder.path, 'new/state') })
    expect(history.calls.list({ limit: 9 }).map(({ id }) => id)).toEqual(expect.arrayContaining(names))
  }
})

it('is set aside once, however many processes find it damaged at once', async () => {
  for (let round = 0; round < 2; round++) {
    await using folder = await openTempDir()
    await writeFile(
      join(folder.path, 'ostler.db'),
      'no database at all, and long enough to be taken for one '.repeat(200),
    )
    const names = ['one', 'two', 'three', 'four']
    const said = await openAtOnce(folder.path, names)
    expect(said.map(({ onlyInMemory }) => onlyInMemory)).toEqual([null, null, null, null])
    expect(said.flatMap(({ warnings }) => warnings)).toEqual([
      expect.stringContaining('the history was damaged'),
    ])
    const files = await readdir(folder.path)
    expect(files.filter((file) => file.includes('corrupt') && !/-(wal|shm)$/.test(file))).toHaveLength(1)
    using history = openState({ stateDir: folder.path })
    expect(history.calls.list({ limit: 9 }).map(({ id }) => id)).toEqual(expect.arrayContaining(names))
  }
})

it('sees what other processes write, and is notified', async () => {
  await using folder = await openTempDir()
  using history = openState({ stateDir: folder.path })
  history.sessions.log(newSession('own'), { isStored: false })
  let told = 0
  const stop = history.changes.watch('calls', () => told++)
  const since = history.calls.lastChange()
  await using holder = startHistoryProcess('holder', folder.path, 'call')
  await expect
    .poll(
      () => history.calls.list({ changedAfter: since, limit: 9 }).map(({ id, status }) => [id, status]),
      patience,
    )
    .toEqual([['held', 'running']])
  await expect.poll(() => told, patience).toBeGreaterThan(0)
  await holder.kill()
  stop()
})

/** Starts processes that open the history simultaneously, and returns what each reports. */
async function openAtOnce(
  stateDir: string,
  names: readonly string[],
): Promise<readonly { readonly warnings: readonly string[]; readonly onlyInMemory: string | null }[]> {
  const openers = names.map((name) => startHistoryProcess('opener', stateDir, name))
  try {
    await Promise.all(openers.map((opener) => opener.line((line) => line === 'ready')))
    for (const opener of openers) opener.child.stdin.write('go\n')
    return await Promise.all(
      openers.map(async (opener) => JSON.parse(await opener.line((line) => line.startsWith('{')))),
    )
  } finally {
    await Promise.all(openers.map((opener) => opener[Symbol.asyncDispose]()))
  }
}
