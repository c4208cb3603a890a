import type { LiveServerState } from '../history/live-servers.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import type { Redactor } from '../redaction/redact.ts'
import { toServerOrigin } from './server-origin.ts'

export function toLiveServer({ name, config, status, tools, prompts }: McpClient, redactor: Redactor): LiveServerState {
  return {
    name,
    transport: config.type,
    origin: toServerOrigin(config, redactor),
    status: status.state,
    ...(status.state === 'error' && { reason: redactor.redact(status.reason), ...(status.needsLogin === true && { needsLogin: true }) }),
    tools: tools.length,
    prompts: prompts.length,
  }
}
