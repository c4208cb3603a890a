import type { PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk'
import type { ContentBlock, TurnEvent } from '@ostler/agent-api'
import type { AcpSession } from './acp-session.ts'
import { toAcpCompaction } from './to-acp-compaction.ts'
import { toIconMeta } from './to-icon-meta.ts'
import { toAcpUpdate, toReportMessage } from './to-acp-update.ts'

/**
 * Answers a prompt. Waits for each update, so that a slow editor slows down the turn instead of filling memory. Other pending changes are
 * sent before the response.
 */
export async function runPrompt(
  session: AcpSession,
  content: readonly ContentBlock[],
  signal: AbortSignal,
): Promise<PromptResponse> {
  let end: Extract<TurnEvent, { type: 'turn_end' }> | undefined
  try {
    for await (const event of session.chat.prompt(content, { signal })) {
      if (event.type === 'turn_end') end = event
      else if (event.type === 'compaction')
        await showUpdate(session, toAcpCompaction(event, session.capabilities))
      else if (event.type !== 'server_report')
        await showUpdate(session, withIcons(session, event, toAcpUpdate(event)))
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

/** Icons are not stored with a call: they are large, and the server has them. */
function withIcons(
  { chat }: AcpSession,
  event: TurnEvent,
  update: SessionUpdate | undefined,
): SessionUpdate | undefined {
  if (update === undefined || event.type !== 'tool_call' || event.call.ref === undefined) return update
  const { _meta } = toIconMeta(chat.iconsOf(event.call.ref))
  return _meta === undefined ? update : { ...update, _meta: { ...update._meta, ..._meta } }
}
