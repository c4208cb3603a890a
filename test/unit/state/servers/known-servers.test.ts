import { expect, test } from 'vitest'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'
import type { KnownServer } from '../../../../packages/agent-api/src/mcp/known-server.ts'

const serverOf = (name: string): KnownServer => ({
  server: { name, version: '1', protocolVersion: '2025-11-25' },
  era: 'legacy',
  tools: [],
  prompts: [],
})

test('a server is found with its own credentials only, and by a person with any', () => {
  using history = openState()
  const known = history.servers.known('agent')
  known.keep({ identity: 'web', credentials: 'one' }, serverOf('first'))
  known.keep({ identity: 'web', credentials: 'two' }, serverOf('second'))
  expect(known.find({ identity: 'web', credentials: 'one' })).toEqual(serverOf('first'))
  expect(known.find({ identity: 'web', credentials: 'three' })).toBeUndefined()
  expect(known.findLast('web')).toEqual(serverOf('second'))
  expect(history.servers.known('another').findLast('web')).toBeUndefined()
})

test('credentials that often change displace older ones of the same server alone', () => {
  using history = openState()
  const known = history.servers.known('agent')
  known.keep({ identity: 'other', credentials: '' }, serverOf('other'))
  const all = Array.from({ length: 300 }, (_, index) => ({ identity: 'web', credentials: String(index) }))
  for (const key of all) known.keep(key, serverOf(key.credentials))
  expect(all.flatMap((key) => known.find(key)?.server.name ?? [])).toEqual([
    '295',
    '296',
    '297',
    '298',
    '299',
  ])
  expect(known.findLast('other')).toEqual(serverOf('other'))
})

test('of many servers, those that were connected last stay', () => {
  using history = openState()
  const known = history.servers.known('agent')
  const all = Array.from({ length: 203 }, (_, index) => ({ identity: String(index), credentials: '' }))
  for (const key of all) known.keep(key, serverOf(key.identity))
  expect(all.filter((key) => known.find(key) === undefined).map(({ identity }) => identity)).toEqual([
    '0',
    '1',
    '2',
  ])
})

test('the credentials of a server that nobody has met are not read', () => {
  using history = openState()
  const known = history.servers.known('agent')
  const read: string[] = []
  const keyOf = (identity: string) => ({
    identity,
    get credentials() {
      read.push(identity)
      return ''
    },
  })
  known.keep({ identity: 'met', credentials: '' }, serverOf('met'))
  expect(known.find(keyOf('met'))).toEqual(serverOf('met'))
  expect(known.find(keyOf('new'))).toBeUndefined()
  expect(read).toEqual(['met'])
})
