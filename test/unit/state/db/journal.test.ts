import { expect, it } from 'vitest'
import { defaultTiming } from '../../../../packages/agent-api/src/base/timing.ts'
import { openMemoryDatabase } from '../../../../packages/agent-api/src/state/db/database.ts'
import { openJournal } from '../../../../packages/agent-api/src/state/db/journal.ts'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'
import { createLogLines, newSession, recordCall } from '../../../support/history-lab.ts'

it('ignores writes after it was closed, and closes twice', async () => {
  const history = openState()
  const recorder = history.calls.recorder({ agent: 'default' })
  const record = await recorder.start({ id: 'late', server: null, tool: 'x', arguments: {} })
  history[Symbol.dispose]()
  history[Symbol.dispose]()
  record.ended('success', { isError: false, content: [] })
  expect(history.journal.tryChange(() => 1)).toBeUndefined()
})

it('a write that fails for a reason of its own is logged, and delays no other', () => {
  const log = createLogLines()
  using journal = openJournal({
    timing: defaultTiming,
    open: openMemoryDatabase,
    replace: openMemoryDatabase,
    logger: log.logger,
  })
  journal.write(() => {
    throw new Error('a mistake')
  })
  journal.write((statements) => void statements.run('CREATE TABLE written (x)'))
  expect(journal.read(({ all }) => all('SELECT * FROM written'))).toEqual([])
  expect(log.warnings()).toEqual(['a row of the history could not be written'])
})

it('rows of deleted sessions are dropped quietly', async () => {
  const log = createLogLines()
  using history = openState({ logger: log.logger })
  const before = log.warnings().length
  const session = history.sessions.log(newSession('gone'), { isStored: false })
  session.beginTurn([{ type: 'text', text: 'hello' }])
  history.sessions.release('gone')
  expect(await history.sessions.delete('gone')).toBe(true)
  expect(await history.sessions.delete('gone')).toBe(false)
  session.event({ type: 'text', messageId: 'm', text: 'into the void' })
  session.set({ title: 'still' })
  await recordCall(history, { id: 'call', sessionId: 'gone', end: 'success' })
  expect(history.sessions.entries('gone')).toEqual([])
  expect(history.sessions.find('gone')).toBeUndefined()
  expect(log.warnings()).toHaveLength(before)
})

it('a transaction is atomic', async () => {
  using history = openState()
  const broken = () =>
    history.journal.change((statements) =>
      statements.transaction(() => {
        statements.run('UPDATE call_changes SET last = 99')
        throw new Error('no')
      }),
    )
  await expect(broken()).rejects.toThrow('no')
  expect(history.calls.lastChange()).toBe(0)
})

it('follows its own writes, and stops when asked', async () => {
  using history = openState()
  const told: string[] = []
  const stop = history.changes.watch('calls', () => told.push('first'))
  const stopToo = history.changes.watch('calls', () => told.push('second'))
  await recordCall(history, { id: 'one', end: 'success' })
  await expect.poll(() => told.toSorted(), { timeout: 20_000 }).toEqual(['first', 'second'])
  stop()
  await recordCall(history, { id: 'two', end: 'success' })
  await expect.poll(() => told.length, { timeout: 20_000 }).toBe(3)
  expect(told.at(-1)).toBe('second')
  stopToo()
})
