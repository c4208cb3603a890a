import type { RequestPermissionRequest } from '@agentclientprotocol/sdk'
import type { ApprovalQuestion, Approver, Logger } from '@ostler/agent-api'
import { messageOf } from '@ostler/agent-api/internal'
import type { AcpClient } from './acp-client.ts'
import { fence } from './fence.ts'
import { fromPermissionResponse, permissionOptionsFor } from './permission-options.ts'
import { toAcpToolCall } from './to-acp-update.ts'

/** Asks through the editor. There is no timeout: the person may be away, and silence allows nothing. */
export function createAcpApprover(client: AcpClient, logger: Logger): Approver {
  return {
    async ask(question, signal) {
      if (signal.aborted) return { verdict: 'cancelled' }
      try {
        return fromPermissionResponse(await client.requestPermission(toPermissionRequest(question), signal))
      } catch (error) {
        if (signal.aborted) return { verdict: 'cancelled' }
        logger.warn('the editor did not answer a permission request; the call is not allowed', { error: messageOf(error) })
        return { verdict: 'deny', scope: 'once' }
      }
    },
  }
}

/**
 * Repeats everything known about the call, because an editor may show only this. The title is ours. The arguments are shown in full as
 * data, so that a server's text cannot pass for ours.
 */
function toPermissionRequest({
  call,
  ref,
  args,
  serverOrigin,
  changes = [],
}: ApprovalQuestion): Omit<RequestPermissionRequest, 'sessionId'> {
  const source = ref.server === null ? 'A tool of Ostler' : `A tool of the MCP server ${JSON.stringify(ref.server)}`
  const lines = [
    `${source}: ${JSON.stringify(ref.tool)}`,
    ...(changes.length === 0 ? [] : [`You allowed it before, but it has changed since: ${changes.join(', ')}.`]),
    ...(serverOrigin === undefined ? [] : ['It runs:', fence(serverOrigin)]),
    'Arguments:',
    fence(JSON.stringify(args, null, 2), 'json'),
  ]
  return {
    toolCall: { ...toAcpToolCall(call), content: [{ type: 'content', content: { type: 'text', text: lines.join('\n\n') } }] },
    options: permissionOptionsFor(ref),
  }
}
