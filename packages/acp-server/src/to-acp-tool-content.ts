import type { ToolCallContent, ToolCallLocation } from '@agentclientprotocol/sdk'
import type { ToolOutput } from '@ostler/agent-api'
import type { ToolLocation } from '@ostler/agent-api/internal'

/** Content blocks are the same in MCP and ACP. They have already been redacted. */
export function toAcpToolContent(output: ToolOutput): ToolCallContent {
  switch (output.type) {
    case 'diff':
      return { type: 'diff', path: output.path, oldText: output.oldText, newText: output.newText }
    case 'terminal':
      return { type: 'terminal', terminalId: output.terminalId }
    default:
      return { type: 'content', content: output }
  }
}

export function toAcpLocation({ path, line }: ToolLocation): ToolCallLocation {
  return line === undefined ? { path } : { path, line }
}
