import { type AgentContext, RequestError } from '@agentclientprotocol/sdk'
import { type ErrorCode, OstlerError } from '@ostler/agent-api'
import { type McpRelay, isRecord } from '@ostler/agent-api/internal'

export type EditorServers = ReturnType<typeof createEditorServers>

export const mcpMessage = 'mcp/message'

type Listener = Parameters<McpRelay['request']>[1]['onNotification']

/** The MCP servers that an editor provides over its ACP connection. Experimental: this part of ACP is not stable yet. */
export function createEditorServers(editor: string) {
  const listeners = new Map<string, Listener>()
  return {
    editor,
    relayOf: (context: AgentContext): McpRelay => ({
      async request(request, { signal, onNotification }) {
        const { requestId } = request
        listeners.set(requestId, onNotification)
        try {
          return await context.request(mcpMessage, request, {
            cancellationSignal: signal,
            stopWaitingOnCancel: true,
          })
        } catch (error) {
          throw toRelayError(error)
        } finally {
          listeners.delete(requestId)
        }
      },
    }),
    /** Call with the parameters of each notification of the method. */
    notified(params: unknown): void {
      const { requestId, method, params: inner } = isRecord(params) ? params : {}
      if (typeof requestId !== 'string' || typeof method !== 'string') return
      listeners.get(requestId)?.({ method, params: isRecord(inner) ? inner : undefined })
    },
  }
}

const relayErrors: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  [-32_601]: ['mcp.unreachable', 'the editor provides no servers'],
  [-33_001]: ['mcp.unreachable', 'the editor does not provide this server any more'],
  [-33_000]: ['mcp.call_failed', 'the editor handles no more requests at the same time; nothing was run'],
  [-32_800]: ['mcp.call_failed', 'the editor ended the request; the tool may have run'],
}

/** The text of an editor's error is not shown: it is for developers. */
function toRelayError(error: unknown): OstlerError {
  const { code } = error instanceof RequestError ? error : { code: 0 }
  const [ours, message] = relayErrors[code] ?? [
    'mcp.call_failed',
    'the editor could not answer; the tool may have run',
  ]
  return new OstlerError(ours, message, { cause: error })
}
