import { errorResult, type ToolResult } from '@ostler/agent-api'
import { messageOf } from '@ostler/agent-api/internal'
import type { AcpClient } from './acp-client.ts'
import type { EditorCapabilities } from './from-acp-client-capabilities.ts'

/** The dependencies of a tool that works through the editor. */
export interface EditorToolOptions {
  readonly client: AcpClient
  readonly sessionId: string
  readonly capabilities: EditorCapabilities
}

/** A failure in the editor becomes an error result for the model. */
export async function orErrorResult(run: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await run()
  } catch (error) {
    return errorResult(`The editor reported: ${messageOf(error)}`)
  }
}
