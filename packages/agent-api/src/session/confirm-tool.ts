import { messageOf } from '../base/errors.ts'
import type { ConfirmedTool } from '../turn/turn.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import { toolsOf, type SessionState } from './session-state.ts'

/**
 * Returns the tool as its server offers it now. The model may have called what the server offered in an earlier process. Such a call waits
 * for the connection, because the decision must be about the tool that runs.
 */
export async function confirmTool(state: SessionState, offered: OfferedTool, signal: AbortSignal): Promise<ConfirmedTool> {
  const { tool, home } = offered
  if (home.type === 'local') return { offered }
  const { client } = home
  if (client.current === undefined) {
    try {
      await client.connected({ signal })
    } catch (error) {
      return { problem: `MCP error: ${messageOf(error)}` }
    }
  }
  // A tool that is withdrawn while its server is down may still be called: the call restores the connection.
  if (client.status.state !== 'connected') return { offered }
  const now = toolsOf(state).find(
    (other) => other.home.type === 'server' && other.home.client === client && other.tool.ref.tool === tool.ref.tool,
  )
  return now === undefined ? { problem: `The server '${client.name}' no longer offers this tool. Nothing was run.` } : { offered: now }
}
