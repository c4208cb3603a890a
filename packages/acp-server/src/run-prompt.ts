import { randomUUID } from 'node:crypto'
import type { PromptResponse } from '@agentclientprotocol/sdk'
import type { ContentBlock, ServerReport, StopReason } from '@ostler/agent-api'
import type { AcpSession } from './acp-session.ts'
import { toReportText } from './to-acp-notice.ts'
import { toAcpUpdate } from './to-acp-update.ts'

/**
 * Answers a prompt: every event as an update, each waited for, so that a slow editor slows the turn down instead of filling memory; then,
 * after whatever else has changed meanwhile, the one response.
 */
export async function runPrompt(session: AcpSession, content: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
  let stopReason: StopReason | undefined
  try {
    for await (const event of session.chat.prompt(content, { signal })) {
      if (event.type === 'turn_end') stopReason = event.stopReason
      else if (event.type === 'server_report') await showReport(session, event.report)
      else await showUpdate(session, toAcpUpdate(event))
    }
  } finally {
    await session.view.synced()
  }
  if (stopReason === undefined) throw new Error('a turn ended without turn_end')
  return { stopReason }
}

async function showUpdate(session: AcpSession, update: ReturnType<typeof toAcpUpdate>): Promise<void> {
  if (update !== undefined) await session.client.update(update)
}

async function showReport(session: AcpSession, report: ServerReport): Promise<void> {
  if (session.capabilities.notices) return session.notice(report)
  const text = toReportText(report)
  if (text === undefined) return
  // A message of its own: the model's answer must not look as if it had said this.
  await session.client.update({
    sessionUpdate: 'agent_message_chunk',
    messageId: `report_${randomUUID()}`,
    content: { type: 'text', text },
  })
}
