import { expect, it } from 'vitest'
import { OstlerError } from '../../../packages/agent-api/src/base/errors.ts'
import { recorded, type CallOutcome } from '../../../packages/agent-api/src/history/recorded.ts'
import { openHistory } from '../../../packages/agent-api/src/history/open-history.ts'
import { textResult } from '../../../packages/agent-api/src/messages/tool.ts'

const start = { id: 'call', server: null, tool: 'read', arguments: { path: 'a' } }
const cancelled = new OstlerError('mcp.cancelled', 'The turn was cancelled.')

it.each<[string, () => CallOutcome, object]>([
  ['a result', () => ({ outcome: 'success', result: textResult('done') }), { status: 'success', error: null }],
  ['a call of an unknown tool', () => ({ outcome: 'unknown', result: textResult('no such tool') }), { status: 'error' }],
  ['an error', () => thrown(new Error('broken')), { status: 'error', error: 'unexpected error: broken' }],
  ['an error for a person', () => thrown(new OstlerError('tool.failed', 'No.')), { status: 'error', error: 'No.' }],
  ['a cancelled call', () => thrown(cancelled), { status: 'cancelled', error: 'The turn was cancelled.' }],
])('records %s', async (_, work, row) => {
  using history = openHistory()
  const calls = history.callRecorder({ agent: 'default' })
  const done = recorded(calls, start, async (record) => {
    expect(history.listCalls({ limit: 9 })).toMatchObject([{ status: 'pending', endedAt: null }])
    record.running()
    expect(history.listCalls({ limit: 9 })).toMatchObject([{ status: 'running' }])
    return work()
  })
  await done.catch(() => undefined)
  expect(history.listCalls({ limit: 9 })).toMatchObject([{ ...row, endedAt: expect.any(String) }])
})

it('passes an error on', async () => {
  using history = openHistory()
  const done = recorded(history.callRecorder({ agent: 'default' }), start, () => Promise.reject(cancelled))
  await expect(done).rejects.toBe(cancelled)
})

function thrown(error: Error): never {
  throw error
}
