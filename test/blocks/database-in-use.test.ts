import { openAgent, type Logger } from '@ostler/agent-api'
import { expect, it } from 'vitest'
import { defaultTiming } from '../../packages/agent-api/src/base/timing.ts'
import { createStoredState, openState } from '../../packages/agent-api/src/state/open-state.ts'
import { openAcpInProcess } from '../support/acp-harness.ts'
import { createLogLines, newSession, recordCall } from '../support/history-lab.ts'
import { startHistoryProcess } from '../support/history-processes.ts'
import { startLoopMonitor } from '../support/loop-monitor.ts'
import { openTempDir } from '../support/temp-dir.ts'

/** SQLite waits with the thread. Each wait is some milliseconds long, which a busy machine extends. The whole wait for a program is 5 s. */
const standMsMax = defaultTiming.databaseWaitMs / 2

const timing = { databaseWaitMs: 300 }
const patience = { timeout: 20_000 }

it('a locked database delays nothing, and receives all data once it can be opened', async () => {
  await using folder = await openTempDir()
  await using holder = startHistoryProcess('holder', folder.path, 'all')
  await holder.line((line) => line === 'ready')
  await using monitor = startLoopMonitor()
  const log = createLogLines()
  using history = openState({ stateDir: folder.path, timing, logger: log.logger })
  const session = history.sessions.log(newSession('one'), { isStored: false })
  session.beginTurn([{ type: 'text', text: 'hello' }])
  await recordCall(history, { id: 'call', sessionId: 'one', turn: 1, end: 'success' })
  expect(() => history.sessions.find('one')).toThrow(
    'The history cannot be read now: it is in use by another program.',
  )
  await expect(history.sessions.delete('other')).rejects.toThrow(
    'The history cannot be written now: it is in use by another program.',
  )
  expect(await monitor.longestStandMs()).toBeLessThan(standMsMax)
  expect(history.onlyInMemory).toBeUndefined()
  expect(log.warnings()).toEqual([expect.stringContaining('it is in use by another program')])

  holder.child.stdin.end()
  await expect.poll(() => log.lines.at(-1)?.message, patience).toBe('the history is being written again')
  expect(history.sessions.find('one')).toMatchObject({ turns: 1 })
  expect(history.calls.find('call')).toMatchObject({ status: 'success', sessionId: 'one' })
  expect(await monitor.longestStandMs()).toBeLessThan(standMsMax)
})

it('a change that a person waits for is made when the other program is done, without blocking', async () => {
  await using folder = await openTempDir()
  using history = openState({ stateDir: folder.path })
  history.sessions.log(newSession('one'), { isStored: false })
  await using holder = startHistoryProcess('holder', folder.path, 'lock')
  await holder.line((line) => line === 'ready')
  await using monitor = startLoopMonitor()
  const deleted = history.sessions.delete('one')
  holder.child.stdin.end()
  expect(await deleted).toBe(true)
  expect(await monitor.longestStandMs()).toBeLessThan(standMsMax)
})

it('a command waits for the other program, and reports it', async () => {
  await using folder = await openTempDir()
  await using holder = startHistoryProcess('holder', folder.path, 'all')
  await holder.line((line) => line === 'ready')
  const log = createLogLines()
  const patient = { databaseWaitMs: 1_000, databaseTellMs: 0 }
  expect(() => createStoredState({ stateDir: folder.path, timing: patient, logger: log.logger })).toThrow(
    `The state directory ${folder.path} cannot be used: it is in use by another program.`,
  )
  expect(log.warnings()).toEqual([
    `the state directory ${folder.path} is in use by another program; waiting for it`,
  ])
})

it('an editor has its session, and the answer to its prompt, while another program locks the database', async () => {
  await using folder = await openTempDir()
  await using holder = startHistoryProcess('holder', folder.path, 'all')
  await holder.line((line) => line === 'ready')
  await using monitor = startLoopMonitor()
  const openOffline = (logger: Logger) =>
    openAgent({ model: 'offline', stateDir: folder.path, env: {}, timing, logger })
  await using editor = openAcpInProcess({ openAgent: openOffline })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: folder.path })
  expect(await editor.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' })
  await expect(editor.request('session/list', {})).rejects.toThrow('in use by another program')
  expect(await monitor.longestStandMs()).toBeLessThan(standMsMax)

  holder.child.stdin.end()
  const listed = async () =>
    (await editor.request<{ sessions: unknown[] }>('session/list', {}).catch(() => ({ sessions: [] })))
      .sessions
  await expect.poll(async () => (await listed()).length, patience).toBe(1)
})
