import { expect, it } from 'vitest'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'
import type { TurnEvent } from '../../../../packages/agent-api/src/messages/turn-event.ts'
import { newSession } from '../../../support/history-lab.ts'

const text = (messageId: string, value: string): TurnEvent => ({ type: 'text', messageId, text: value })
const thought = (messageId: string, value: string): TurnEvent => ({ type: 'thought', messageId, text: value })
const call: TurnEvent = {
  type: 'tool_call',
  call: { id: 'call', wireName: 'files__read', title: 'read', kind: 'read', rawInput: {}, locations: [] },
}
const usage = { inputTokens: 0, outputTokens: 0, contextUsed: 0, contextSize: 0 }
const end: TurnEvent = { type: 'turn_end', stopReason: 'end_turn', usage }

it('keeps every piece during the turn, and one row per text afterwards', () => {
  using history = openState()
  const log = history.sessions.log(newSession('one'), { isStored: false })
  log.beginTurn([{ type: 'text', text: 'hello' }])
  const pieces = [
    thought('a', 'hm'),
    thought('a', 'm'),
    text('a', 'one '),
    text('a', 'two'),
    call,
    text('a', 'three '),
    text('b', 'four'),
    text('b', '!'),
  ]
  for (const piece of pieces) log.event(piece)
  const events = () =>
    history.sessions.entries('one').flatMap((entry) => (entry.kind === 'event' ? [entry.event] : []))
  expect(events()).toEqual(pieces)
  log.event(end)
  expect(events()).toEqual([
    thought('a', 'hmm'),
    text('a', 'one two'),
    call,
    text('a', 'three '),
    text('b', 'four!'),
    end,
  ])
})

it('merges each turn separately', () => {
  using history = openState()
  const log = history.sessions.log(newSession('one'), { isStored: false })
  for (const turn of [1, 2]) {
    log.beginTurn([{ type: 'text', text: `${turn}` }])
    for (let index = 0; index < 50; index++) log.event(text('same', `${index} `))
    log.event(end)
  }
  const entries = history.sessions.entries('one')
  expect(entries.map(({ turn, kind }) => [turn, kind])).toEqual(
    [1, 1, 1, 2, 2, 2].map((turn, index) => [turn, index % 3 === 0 ? 'prompt' : 'event']),
  )
})

it('ignores what another process writes to the same session at the same time', () => {
  using history = openState()
  const session = newSession('one')
  const logs = [
    history.sessions.log(session, { isStored: false }),
    history.sessions.log({ ...session, turns: 1 }, { isStored: true }),
  ]
  for (const log of logs) log.beginTurn([{ type: 'text', text: 'hello' }])
  for (const piece of ['a', 'b'])
    for (const [index, log] of logs.entries()) log.event(text(`${index}`, piece))
  logs[0]?.event(end)
  const events = history.sessions
    .entries('one')
    .flatMap((entry) => (entry.kind === 'event' ? [[entry.turn, entry.event]] : []))
  expect(events).toEqual([
    [1, text('0', 'ab')],
    [1, end],
    [2, text('1', 'a')],
    [2, text('1', 'b')],
  ])
})
