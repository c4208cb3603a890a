import { expect, test } from 'vitest'
import {
  useOfStoredServer,
  type StoredChoice,
} from '../../../../packages/agent-api/src/servers/stored/stored-choice.ts'

const on = { name: 'a', enabled: true }
const off = { name: 'a', enabled: false }

test.each<[string, typeof on, StoredChoice, string[], string]>([
  ['all are chosen', on, 'all', [], 'used'],
  ['none is chosen', on, 'none', [], 'not-chosen'],
  ['this one is named', on, ['b', 'a'], [], 'used'],
  ['another one is named', on, ['b'], [], 'not-chosen'],
  ['nothing is named', on, [], [], 'not-chosen'],
  ['it is switched off', off, 'all', [], 'disabled'],
  ['the file has another server', on, 'all', ['b'], 'used'],
  ['the file has a server of that name', on, 'all', ['a'], 'shadowed'],
  ['the file has one, and this one is switched off', off, 'all', ['a'], 'shadowed'],
  ['the file has one, and this one is not chosen', on, 'none', ['a'], 'not-chosen'],
])('%s', (_case, server, choice, fileServers, use) => {
  expect(useOfStoredServer(server, { choice, fileServers })).toBe(use)
})
