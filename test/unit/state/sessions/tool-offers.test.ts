import { expect, test } from 'vitest'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'
import { toToolOffer } from '../../../../packages/agent-api/src/messages/tool-offer.ts'
import { createRedactor } from '../../../../packages/agent-api/src/redaction/redact.ts'
import { newSession, recordCall } from '../../../support/history-lab.ts'

const offer = (turn: number, step: number, tools: readonly string[]) =>
  toToolOffer({ turn, step }, tools, { manual: [], search: ['s:x'] })

test('offers are listed in order, from a turn on, and go with their session', async () => {
  using history = openState()
  history.sessions.log(newSession('mine'), { isStored: false }).beginTurn([])
  history.sessions.offers.add('mine', offer(1, 1, ['a']))
  history.sessions.offers.add('mine', offer(10, 2, ['a', 'b']))
  history.sessions.offers.add('mine', offer(2, 1, ['a']))
  history.sessions.offers.add('gone', offer(1, 1, ['a']))
  expect(history.sessions.offers.list('mine')).toEqual([
    { turn: 1, step: 1, tools: ['a'], count: 1, left: [{ reason: 'search', names: ['s:x'], count: 1 }] },
    expect.objectContaining({ turn: 2 }),
    expect.objectContaining({ turn: 10, step: 2, count: 2 }),
  ])
  expect(history.sessions.offers.list('mine', 2).map(({ turn }) => turn)).toEqual([2, 10])
  expect(history.sessions.offers.list('gone')).toEqual([])
  await history.sessions.delete('mine')
  expect(history.sessions.offers.list('mine')).toEqual([])
})

test('a turn that begins again replaces its offers', () => {
  using history = openState()
  history.sessions.log(newSession('mine'), { isStored: false }).beginTurn([])
  history.sessions.offers.add('mine', offer(1, 1, ['a']))
  history.sessions.offers.add('mine', offer(1, 1, ['b']))
  expect(history.sessions.offers.list('mine')).toMatchObject([{ tools: ['b'] }])
})

test('those of a forgotten turn are deleted, unless the turn has calls, which are kept', async () => {
  using history = openState()
  const log = history.sessions.log(newSession('mine'), { isStored: false })
  log.beginTurn([])
  history.sessions.offers.add('mine', offer(1, 1, ['a']))
  log.beginTurn([])
  history.sessions.offers.add('mine', offer(2, 1, ['b']))
  log.forgetTurn()
  expect(history.sessions.offers.list('mine').map(({ turn }) => turn)).toEqual([1])
  log.beginTurn([])
  history.sessions.offers.add('mine', offer(2, 1, ['b']))
  await recordCall(history, { id: 'call', sessionId: 'mine', turn: 2, end: 'success' })
  log.forgetTurn()
  expect(history.sessions.offers.list('mine').map(({ turn }) => turn)).toEqual([1, 2])
})

test('they are bounded, and hold no secret', () => {
  const redactor = createRedactor()
  redactor.add('hush-hush-hush')
  using history = openState({ redactor })
  history.sessions.log(newSession('mine'), { isStored: false }).beginTurn([])
  for (let turn = 1; turn <= 60; turn++) history.sessions.offers.add('mine', offer(turn, 1, [`tool-${turn}`]))
  expect(history.sessions.offers.list('mine').map(({ turn }) => turn)).toEqual(
    [...Array(50).keys()].map((at) => at + 11),
  )
  const names = [...Array(1_000).keys()].map((at) => `hush-hush-hush-${at}`)
  history.sessions.offers.add('mine', toToolOffer({ turn: 61, step: 1 }, names, { limit: names }))
  const last = history.sessions.offers.list('mine', 61)[0]
  expect(last).toMatchObject({ count: 1_000, left: [{ reason: 'limit', count: 1_000 }] })
  expect([last?.tools.length, last?.left[0]?.names.length]).toEqual([200, 100])
  expect(JSON.stringify(last)).not.toContain('hush')
})
