import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { ToolOutput, TranscriptEntry, TurnEvent } from '@ostler/agent-api'
import type { EditorCapabilities } from './editor/from-acp-client-capabilities.ts'
import { toAcpCompaction } from './to-acp-compaction.ts'
import { toAcpUpdate, toReportMessage } from './to-acp-update.ts'

/** Shows a stored entry to an editor: the original updates, and the person's prompts. */
export function toReplayUpdates(
  entry: TranscriptEntry,
  capabilities: Pick<EditorCapabilities, 'notices' | 'compaction'>,
): readonly SessionUpdate[] {
  if (entry.kind === 'prompt') {
    return entry.content.map((content) => ({
      sessionUpdate: 'user_message_chunk',
      messageId: `prompt_${entry.turn}`,
      content,
    }))
  }
  const { event } = entry
  // A notice only described that moment, but a report message was part of the conversation.
  const { notices, compaction } = capabilities
  if (event.type === 'server_report') return notices ? [] : presentOf(toReportMessage(event))
  if (event.type === 'compaction')
    return notices && !compaction ? [] : presentOf(toAcpCompaction(event, capabilities))
  return presentOf(toAcpUpdate(withoutTerminals(event)))
}

/** The terminal belonged to the earlier editor. Only its output remains. */
function withoutTerminals(event: TurnEvent): TurnEvent {
  if (event.type !== 'tool_call_update' || event.update.content === undefined) return event
  return { ...event, update: { ...event.update, content: event.update.content.flatMap(toLasting) } }
}

function toLasting(output: ToolOutput): ToolOutput[] {
  if (output.type !== 'terminal') return [output]
  return output.text === '' ? [] : [{ type: 'text', text: output.text }]
}

function presentOf(update: SessionUpdate | undefined): readonly SessionUpdate[] {
  return update === undefined ? [] : [update]
}
