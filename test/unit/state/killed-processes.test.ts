import { expect, test } from 'vitest'
import { openDatabase } from '../../../packages/agent-api/src/state/db/database.ts'
import { createStoredState } from '../../../packages/agent-api/src/state/open-state.ts'
import { processMark } from '../../../packages/agent-api/src/state/presence/process-mark.ts'
import { openTempDir } from '../../support/temp-dir.ts'

const body = { kind: 'page', server: 'rich', message: 'Open it', url: 'https://example.com' } as const
const killed = processMark().replace(/\d+ \d+$/, '1 1')
const inOtherContainer = processMark().replace(/^(\S+) \S+/, '$1 pid:[1]')

/** A state in which a process has a question, a server and a session open. */
async function openLab(process: string) {
  await using opened = new AsyncDisposableStack()
  const dir = opened.use(await openTempDir())
  const state = opened.use(createStoredState({ stateDir: dir.path }))
  const { database } = openDatabase(dir.path)
  opened.defer(() => database.close())
  await state.questions.open({ agent: 'default', sessionId: 's1', body })
  database.exec(`INSERT INTO live_servers (process, agent, name, transport, origin, status, tools, prompts)
    VALUES ('', 'default', 'rich', 'stdio', 'npx rich', 'connected', 0, 0); INSERT INTO open_sessions VALUES ('s1', '')`)
  const tables = ['questions', 'live_servers', 'open_sessions']
  for (const table of tables) database.prepare(`UPDATE ${table} SET process = ?`).run(process)
  const counts = () =>
    tables.map((table) => database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.['rows'])
  const shown = () => [
    state.questions.list().length,
    state.presence.servers().length,
    state.presence.openSessions().length,
  ]
  const all = opened.move()
  return { dir, counts, shown, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

test('the open question of a killed process is not shown, and is removed with its servers and sessions', async () => {
  await using lab = await openLab(killed)
  expect(lab.shown()).toEqual([0, 0, 0])
  expect(lab.counts()).toEqual([1, 1, 1])
  using _next = createStoredState({ stateDir: lab.dir.path })
  expect(lab.counts()).toEqual([0, 0, 0])
})

test('a process in another container may still run: what it has open stays', async () => {
  await using lab = await openLab(inOtherContainer)
  using _next = createStoredState({ stateDir: lab.dir.path })
  expect(lab.counts()).toEqual([1, 1, 1])
  expect(lab.shown()).toEqual([1, 1, 1])
})
