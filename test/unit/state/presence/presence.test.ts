import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LiveServerState } from '../../../../packages/agent-api/src/state/presence/presence.ts'
import { createStoredState } from '../../../../packages/agent-api/src/state/open-state.ts'
import { until } from '../../../support/processes.ts'
import { openTempDir } from '../../../support/temp-dir.ts'

const server = (name: string, more: Partial<LiveServerState> = {}): LiveServerState => ({
  name,
  transport: 'stdio',
  origin: 'npx it',
  status: 'connected',
  tools: 2,
  prompts: 0,
  ...more,
})

const owner = { agent: 'default', sessionId: 's1' }

test('servers are published after a delay, also to other processes, and removed with their owner', async () => {
  await using dir = await openTempDir()
  using history = createStoredState({ stateDir: dir.path })
  using other = createStoredState({ stateDir: dir.path })
  let now = [server('a', { status: 'connecting', tools: 0 })]
  const note = history.presence.note({ ...owner, look: () => now })
  using own = history.presence.note({ agent: 'default', sessionId: null, look: () => [server('own')] })
  note.changed()
  expect(other.presence.servers()).toEqual([])
  const sizes = [{ tool: 'one', sent: 20, saved: 300 }]
  now = [server('a', { status: 'error', reason: 'it is gone', tools: 0 }), server('b', { sizes })]
  note.changed()
  own.changed()
  await until('them', () => other.presence.servers().length === 3)
  expect(other.presence.servers()).toEqual([
    { agent: 'default', sessionId: null, sessionTitle: null, owner: 'agent', ...server('own') },
    {
      agent: 'default',
      sessionId: 's1',
      sessionTitle: null,
      owner: 'session',
      ...server('a', { status: 'error', reason: 'it is gone', tools: 0 }),
    },
    { agent: 'default', sessionId: 's1', sessionTitle: null, owner: 'session', ...server('b', { sizes }) },
  ])
  note[Symbol.dispose]()
  expect(other.presence.servers().map(({ name }) => name)).toEqual(['own'])
  note.changed()
  note[Symbol.dispose]()
})

test.each([
  ['a session', 's1'],
  ['an agent', null],
])('when %s ends, the command lines of its servers leave all files', async (_, sessionId) => {
  await using dir = await openTempDir()
  using history = createStoredState({ stateDir: dir.path })
  using _other = createStoredState({ stateDir: dir.path })
  const note = history.presence.note({
    agent: 'default',
    sessionId,
    look: () => [server('a', { origin: 'npx it --of-this-session' })],
  })
  const holding = async () => {
    const names = await readdir(dir.path)
    const texts = await Promise.all(names.map((name) => readFile(join(dir.path, name), 'latin1')))
    return names.filter(
      (name, index) => texts[index]?.includes('--of-this-session') && !name.endsWith('-shm'),
    )
  }
  note.changed()
  await until('it is written', async () => (await holding()).length > 0)
  note[Symbol.dispose]()
  await until('it is gone', async () => (await holding()).length === 0)
})

test('nothing is written without a change', async () => {
  await using dir = await openTempDir()
  using history = createStoredState({ stateDir: dir.path })
  let looks = 0
  using note = history.presence.note({ ...owner, look: () => (looks++, [server('a')]) })
  note.changed()
  await until('the first', () => history.presence.servers().length === 1)
  const { writes } = history.journal
  note.changed()
  note.changed()
  await until('a second look', () => looks === 2)
  expect(history.journal.writes).toBe(writes)
})

test('a process that has ended has no servers, and its rows are removed', async () => {
  await using dir = await openTempDir()
  using history = createStoredState({ stateDir: dir.path })
  const insert = `INSERT INTO live_servers VALUES ('another-boot pid:[1] 1 1', 'default', 's9', 'left', 'stdio', 'npx', 'connected', NULL, 1, 0, 0, NULL, NULL)`
  await history.journal.change((statements) => statements.run(insert))
  const count = () =>
    history.journal.read((statements) => statements.all('SELECT * FROM live_servers').length)
  expect(count()).toBe(1)
  expect(history.presence.servers()).toEqual([])
  using _ = createStoredState({ stateDir: dir.path })
  expect(count()).toBe(0)
})
