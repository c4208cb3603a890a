import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createStoredState } from '../../../../packages/agent-api/src/state/open-state.ts'
import { newSession, recordCall } from '../../../support/history-lab.ts'

function stateDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ostler-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('numbers every turn uniquely, even across processes', () => {
  const place = stateDir()
  using here = createStoredState({ stateDir: place })
  using there = createStoredState({ stateDir: place })
  const one = here.sessions.log(newSession('one'), { isStored: false })
  const other = there.sessions.log(there.sessions.find('one') ?? newSession('one'), { isStored: true })
  for (const [index, log] of [one, other, other, one, one].entries()) {
    log.beginTurn([{ type: 'text', text: `prompt ${index}` }])
    expect(log.session.turns).toBe(index + 1)
  }
  expect(here.sessions.entries('one').map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5])
  expect(here.sessions.find('one')?.turns).toBe(5)
})

it('keeps recording when it is deleted while open, and is gone once it is closed', async () => {
  using history = createStoredState({ stateDir: stateDir() })
  const log = history.sessions.log(newSession('one'), { isStored: false })
  log.set({ title: 'first' })
  log.beginTurn([{ type: 'text', text: 'first' }])
  log.event({ type: 'text', messageId: 'm1', text: 'shown' })
  await recordCall(history, { id: 'before', sessionId: 'one', turn: 1, end: 'success' })
  expect(await history.sessions.delete('one')).toBe(true)
  log.beginTurn([{ type: 'text', text: 'second' }])
  expect(log.session.turns).toBe(2)
  expect(history.sessions.find('one')).toMatchObject({ turns: 2, title: 'first' })
  expect(history.sessions.entries('one')).toMatchObject([{ turn: 2, kind: 'prompt' }])

  // In the middle of a turn: the prompt is restored once, with the next write.
  log.message({ role: 'user', id: 'u', content: [{ type: 'text', text: 'second' }] })
  expect(await history.sessions.delete('one')).toBe(true)
  await recordCall(history, { id: 'call', sessionId: 'one', turn: 2, end: 'success' })
  log.event({ type: 'text', messageId: 'm2', text: 'shown' })
  expect(history.sessions.entries('one').map(({ kind }) => kind)).toEqual(['prompt', 'message', 'event'])
  expect(history.calls.list({ limit: 9 })).toMatchObject([{ id: 'call', sessionId: 'one' }])

  history.sessions.release('one')
  expect(await history.sessions.delete('one')).toBe(true)
  log.set({ title: 'late' })
  log.event({ type: 'text', messageId: 'm3', text: 'late' })
  expect(history.sessions.find('one')).toBeUndefined()
})

it('a call that outlives its session is not kept without it', async () => {
  using history = createStoredState({ stateDir: stateDir() })
  history.sessions.log(newSession('one'), { isStored: false })
  const start = (id: string) =>
    history.calls
      .recorder({ agent: 'default', sessionId: 'one', turn: 1 })
      .start({ id, server: null, tool: 'read', arguments: {} })
  const [kept, lost] = [await start('kept'), await start('lost')]
  expect(await history.sessions.delete('one')).toBe(true)
  kept.decided('allow', { by: 'mode', how: 'auto' })
  kept.running()
  history.sessions.release('one')
  expect(await history.sessions.delete('one')).toBe(true)
  for (const call of [kept, lost]) call.ended('success', { isError: false, content: [] })
  expect(history.calls.list({ limit: 9 })).toEqual([])
})

it('finds sessions by id prefix', () => {
  using history = createStoredState({ stateDir: stateDir() })
  for (const id of ['ab1', 'ab2', 'abc', 'b_%', 'bxy'])
    history.sessions.log(newSession(id), { isStored: false })
  const found = (prefix: string, limit = 9) =>
    history.sessions.findByPrefix(prefix, limit).map(({ id }) => id)
  expect(found('ab')).toEqual(['ab1', 'ab2', 'abc'])
  expect(found('ab', 2)).toEqual(['ab1', 'ab2'])
  expect(found('b_')).toEqual(['b_%'])
  expect(found('AB')).toEqual([])
  expect(found('abcd')).toEqual([])
})

it('forgets a turn as if it had never begun, but uses no number twice that a call has', async () => {
  using history = createStoredState({ stateDir: stateDir() })
  const log = history.sessions.log(newSession('one'), { isStored: false })
  log.beginTurn([{ type: 'text', text: 'first' }])
  const before = history.sessions.find('one')
  log.beginTurn([{ type: 'text', text: 'second' }])
  log.forgetTurn()
  expect(history.sessions.find('one')).toEqual(before)
  expect(history.sessions.entries('one').map(({ turn }) => turn)).toEqual([1])
  expect(log.session).toMatchObject({ turns: 1, updatedAt: before?.updatedAt })

  log.beginTurn([{ type: 'text', text: 'second' }])
  expect(log.session.turns).toBe(2)
  await recordCall(history, { id: 'call', sessionId: 'one', turn: 2, end: 'success' })
  log.forgetTurn()
  log.beginTurn([{ type: 'text', text: 'third' }])
  expect(log.session.turns).toBe(3)
})
