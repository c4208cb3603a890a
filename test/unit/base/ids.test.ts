import { expect, test } from 'vitest'
import { createSessionId, createToolCallId } from '../../../packages/agent-api/src/base/ids.ts'

test('ids are random UUIDs, and no two are equal', () => {
  const ids = Array.from({ length: 1_000 }, createSessionId)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(new Set(ids).size).toBe(ids.length)
  expect(createToolCallId()).toMatch(/^call_[\da-f-]{36}$/)
})
