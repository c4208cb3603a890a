import { expect, test } from 'vitest'
import { createKeptResults } from '../../../../packages/agent-api/src/state/calls/kept-results.ts'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'

const parts = ['one\ntwo\nth', 'ree\nfour', '\nfive']
const whole = parts.join('')

function keep() {
  const history = openState()
  const summary = {
    agent: 'a',
    cwd: '/',
    additionalDirectories: [],
    title: null,
    model: null,
    mode: null,
    turns: 0,
  }
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }
  for (const id of ['mine', 'other'])
    history.sessions.log({ ...summary, ...times, id, thoughtLevel: null }, { isStored: false }).beginTurn([])
  const kept = createKeptResults(history.journal)
  let start = 0
  let line = 0
  for (const text of parts) {
    expect(kept.add({ sessionId: 'mine', callId: 'call', start, line, text })).toBe(true)
    start += text.length
    line += text.split('\n').length - 1
  }
  return { history, kept }
}

test.each([
  ['from the beginning', { limit: 5 }, 'one\nt', 0],
  ['over the edge of a part', { offset: 8, limit: 6 }, 'three\n', 8],
  ['from a line that begins in another part', { line: 4, limit: 100 }, 'four\nfive', 14],
  ['from the line at the beginning of a part', { line: 5, limit: 100 }, 'five', 19],
  ['from the first line', { line: 1, limit: 3 }, 'one', 0],
  ['after the end', { offset: 500, limit: 3 }, '', 500],
  ['from a line after the end', { line: 50, limit: 3 }, '', whole.length],
])('a kept result is read %s', (_, place, text, offset) => {
  const { history, kept } = keep()
  using _history = history
  expect(kept.read('mine', 'call', place)).toEqual({ text, offset, length: whole.length })
})

test('another session reads nothing, and the result goes with its session', async () => {
  const { history, kept } = keep()
  using _history = history
  expect(kept.read('other', 'call', { limit: 5 })).toBeUndefined()
  expect([kept.hasAny('mine'), kept.hasAny('other')]).toEqual([true, false])
  expect([kept.lengthOf('mine'), kept.lengthOf('other')]).toEqual([whole.length, 0])
  await history.sessions.delete('mine')
  expect(kept.hasAny('mine')).toBe(false)
})
