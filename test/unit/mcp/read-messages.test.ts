import { expect, test } from 'vitest'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import { createPendingRequests } from '../../../packages/agent-api/src/mcp/transports/pending-requests.ts'
import { createMessageReader } from '../../../packages/agent-api/src/mcp/transports/read-messages.ts'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'

test('reading pauses while long lines are parsed, and the messages keep their order', async () => {
  const seen: unknown[] = []
  const reader = createMessageReader({
    name: 'a',
    pending: createPendingRequests(),
    logger: silentLogger,
    redactor: createRedactor(),
    onMessage: (message) => seen.push('method' in message && message.method),
    hold: () => seen.push('hold'),
    release: () => seen.push('release'),
  })
  const line = (method: string, length = 0) => `${JSON.stringify({ jsonrpc: '2.0', method, params: { text: 'x'.repeat(length) } })}\n`
  reader.push(Buffer.from(line('one') + line('two', 300_000) + line('three', 300_000) + line('four')))
  await reader.drained()
  expect(seen).toEqual(['one', 'hold', 'two', 'three', 'four', 'release'])
})
