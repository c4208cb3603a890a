import { expect, test } from 'vitest'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'

test('a stored server that has changed is not overwritten', async () => {
  using state = openState()
  const { servers } = state
  const row = {
    id: 'a',
    name: 'one',
    entry: {},
    secretStore: null,
    enabled: true,
    createdAt: '2026',
    updatedAt: '2026',
  }
  await servers.insert(row)
  const stored = servers.find('a')!
  expect(await servers.update({ ...stored, name: 'two' })).toBe(true)
  expect(await servers.update({ ...stored, name: 'three' })).toBe(false)
  expect(servers.find('a')).toMatchObject({ name: 'two', revision: stored.revision + 1 })
})
