import { expect, test } from 'vitest'
import { openHistory } from '../../../packages/agent-api/src/history/open-history.ts'
import { findServer, insertServer, updateServer } from '../../../packages/agent-api/src/history/servers.ts'

test('a stored server that has changed is not overwritten', async () => {
  using history = openHistory()
  const row = { id: 'a', name: 'one', config: {}, secretStore: null, enabled: true, createdAt: '2026', updatedAt: '2026' }
  await history.journal.change((statements) => {
    insertServer(statements, row)
    const { revision } = findServer(statements, 'a')!
    expect(updateServer(statements, { ...row, name: 'two', revision })).toBe(true)
    expect(updateServer(statements, { ...row, name: 'three', revision })).toBe(false)
    expect(findServer(statements, 'a')).toMatchObject({ name: 'two', revision: revision + 1 })
  })
})
