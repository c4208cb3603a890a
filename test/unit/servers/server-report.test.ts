import { expect, test } from 'vitest'
import { OstlerError } from '../../../packages/agent-api/src/base/errors.ts'
import type { McpClient, McpStatus } from '../../../packages/agent-api/src/mcp/mcp-client.ts'
import { toServerReport } from '../../../packages/agent-api/src/servers/server-report.ts'

const late = new OstlerError('mcp.connect_timeout', 'did not answer within 30 s')

test.each<[string, McpStatus, OstlerError | undefined, object]>([
  ['the first attempt', { state: 'connecting', attempt: 1 }, undefined, { waiting: ['s'], failed: [] }],
  [
    'a failed one',
    { state: 'error', reason: late.message, willRetry: true },
    late,
    { failed: [{ server: 's', reason: late.message }] },
  ],
  [
    'a retry',
    { state: 'connecting', attempt: 2 },
    late,
    { waiting: [], failed: [{ server: 's', reason: late.message }] },
  ],
])('%s', (_case, status, failure, expected) => {
  const client: Pick<McpClient, 'name' | 'status' | 'failure' | 'tools' | 'isAnticipated'> = {
    name: 's',
    status,
    failure,
    tools: [],
    isAnticipated: false,
  }
  expect(toServerReport({ clients: new Map([['s', client]]), notes: [], rejected: [] })).toMatchObject(
    expected,
  )
})
