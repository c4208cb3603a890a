import type { PromptResponse } from '@agentclientprotocol/sdk'
import type { ContentBlock, TurnEvent } from '@ostler/agent-api'
import type { AcpSession } from './acp-session.ts'
import { toAcpCompaction } from './to-acp-compaction.ts'
import { toAcpUpdate, toReportMessage } from './to-acp-update.ts'

/**
 * Answers a prompt. Waits for each update, so that a slow editor slows down the turn instead of filling memory. Other pending changes are
 * sent before the response.
 */
export async function runPrompt(session: AcpSession, content: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
  let end: Extract<TurnEvent, { type: 'turn_end' }> | undefined
  try {
    for await (const event of session.chat.prompt(content, { signal })) {
      if (event.type === 'turn_end') end = event
      else if (event.type === 'compaction') await showUpdate(session, toAcpCompaction(event, session.capabilities))
      else if (event.type !== 'server_report') await showUpdate(session, toAcpUpdate(event))
      else if (session.capabilities.notices) await session.notice(event.report)
      else await showUpdate(session, toReportMessage(event))
    }
  } finally {
    await session.view.synced()
  }
  if (end === undefined) throw new Error('a turn ended without turn_end')
  const { stopReason, error } = end
  // ACP has no stop reason for an error of the model, and an error response would hide what was done before it.
  return error === undefined ? { stopReason } : { stopReason, _meta: { 'ostler/error': error } }
}

async function showUpdate(session: AcpSession, update: ReturnType<typeof toAcpUpdate>): Promise<void> {
  if (update !== undefined) await session.client.update(update)
}
