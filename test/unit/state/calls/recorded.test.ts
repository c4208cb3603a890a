import { expect, it } from 'vitest'
import { OstlerError } from '../../../../packages/agent-api/src/base/errors.ts'
import type { CallOutcome } from '../../../../packages/agent-api/src/messages/message.ts'
import { recorded } from '../../../../packages/agent-api/src/state/calls/recorded.ts'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'
import { textResult } from '../../../../packages/agent-api/src/messages/tool.ts'

const start = { id: 'call', server: null, tool: 'read', arguments: { path: 'a' } }
const cancelled = new OstlerError('mcp.cancelled', 'The turn was cancelled.')

it.each<[string, () => CallOutcome, object]>([
  [
    'a result',
    () => ({ outcome: 'success', result: textResult('done') }),
    { status: 'success', error: null },
  ],
  [
    'a call of an unknown tool',
    () => ({ outcome: 'unknown', result: textResult('no such tool') }),
    { status: 'error' },
  ],
  ['an error', () => thrown(new Error('broken')), { status: 'error', error: 'unexpected error: broken' }],
  [
    'an error for a person',
    () => thrown(new OstlerError('tool.failed', 'No.')),
    { status: 'error', error: 'No.' },
  ],
  ['a cancelled call', () => thrown(cancelled), { status: 'cancelled', error: 'The turn was cancelled.' }],
])('records %s', async (_, work, row) => {
  using history = openState()
  const calls = history.calls.recorder({ agent: 'default' })
  const done = recorded(calls, start, async (record) => {
    expect(history.calls.list({ limit: 9 })).toMatchObject([{ status: 'pending', endedAt: null }])
    record.running()
    expect(history.calls.list({ limit: 9 })).toMatchObject([{ status: 'running' }])
    return work()
  })
  await done.catch(() => undefined)
  expect(history.calls.list({ limit: 9 })).toMatchObject([{ ...row, endedAt: expect.any(String) }])
})

it('passes an error on', async () => {
  using history = openState()
  const done = recorded(history.calls.recorder({ agent: 'default' }), start, () => Promise.reject(cancelled))
  await expect(done).rejects.toBe(cancelled)
})

function thrown(error: Error): never {
  throw error
}
