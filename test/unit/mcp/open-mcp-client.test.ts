import { expect, test } from 'vitest'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import { openMcpClient } from '../../../packages/agent-api/src/mcp/open-mcp-client.ts'
import type { McpServerConfig } from '../../../packages/agent-api/src/mcp/server-config.ts'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'

const secret = 'Fv8-not-a-known-shape-31'

test.each<[string, McpServerConfig]>([
  ['a variable', { type: 'stdio', name: 's', command: '/nonexistent', args: [], env: { API_TOKEN: secret } }],
  [
    'a header',
    {
      type: 'http',
      name: 's',
      url: 'http://127.0.0.1:1/mcp',
      headers: { Authorization: `Bearer ${secret}` },
    },
  ],
])('the redactor knows the secret in %s as soon as the client is open', async (_case, config) => {
  const redactor = createRedactor()
  await using _ = openMcpClient({
    config,
    host: { cwd: process.cwd(), roots: [] },
    logger: silentLogger,
    redactor,
  })
  expect(redactor.redact(`it said ${secret}`)).not.toContain(secret)
})
