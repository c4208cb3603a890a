import { expect, it } from 'vitest'
import { defaultTiming } from '../../../../packages/agent-api/src/base/timing.ts'
import { createBacklog, type Write } from '../../../../packages/agent-api/src/state/db/backlog.ts'
import { createLogLines } from '../../../support/history-lab.ts'

const writes = [1, 2, 3].map((): Write => () => undefined)

/** A database that accepts writes only while the test allows it. */
function database() {
  const log = createLogLines()
  const state = { isWritable: false, written: [] as Write[] }
  const backlog = createBacklog({
    attempt(write) {
      if (state.isWritable) state.written.push(write)
      return state.isWritable
    },
    timing: defaultTiming,
    logger: log.logger,
  })
  return { state, backlog, log }
}

it('writes in the order in which writes were added, as soon as it can', async () => {
  const { state, backlog } = database()
  for (const write of writes) backlog.add(write, 0)
  expect(backlog.isEmpty).toBe(false)
  const flushed = backlog.flushed()
  state.isWritable = true
  await flushed
  expect(state.written).toEqual(writes)
  expect(backlog.isEmpty).toBe(true)
})

it('does not delay callers during an outage, which it logs once', async () => {
  const { backlog, log } = database()
  for (const write of writes) backlog.add(write, 0)
  backlog.noteOutage('the disk is full')
  backlog.noteOutage('the disk is full')
  await backlog.flushed()
  backlog.finish()
  expect(log.warnings()).toEqual([
    'the history cannot be written now: the disk is full; it is kept in memory until it can',
    'a part of the history could not be written before the end, and is lost',
  ])
})

it('logs each outage and its end', async () => {
  const { state, backlog, log } = database()
  for (const write of writes.slice(0, 2)) {
    state.isWritable = false
    backlog.add(write, 0)
    const flushed = backlog.flushed()
    backlog.noteOutage('the disk is full')
    state.isWritable = true
    await flushed
  }
  expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'info', 'warn', 'info'])
})

it('counts what does not fit in memory', async () => {
  const { state, backlog, log } = database()
  for (const write of writes) backlog.add(write, 31 * 1024 * 1024)
  state.isWritable = true
  await backlog.flushed()
  expect(state.written).toEqual([writes[0]])
  backlog.add(writes[1]!, 0)
  await backlog.flushed()
  const message = 'the history is being written again; 2 rows did not fit in memory and are lost'
  expect(log.lines).toEqual([{ level: 'info', message }])
})
