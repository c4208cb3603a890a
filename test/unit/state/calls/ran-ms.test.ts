import { expect, test } from 'vitest'
import { toRanMs } from '../../../../packages/agent-api/src/state/calls/call.ts'

test.each([
  ['a call that nobody was asked about', 'success', 120, null, 120],
  ['a call that waited for an answer', 'success', 200_152, 200_096, 56],
  ['a call that failed', 'error', 30, 10, 20],
  ['a call that was denied', 'denied', 180_000, null, null],
  ['an answer to a question', 'success', 5_000, 5_000, null],
  ['a call that runs', 'running', null, 40, null],
] as const)('%s', (_, status, durationMs, waitedMs, ranMs) => {
  expect(toRanMs({ status, durationMs, waitedMs })).toBe(ranMs)
})
