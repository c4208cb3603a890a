import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { ToolOutput, TranscriptEntry, TurnEvent } from '@ostler/agent-api'
import type { EditorCapabilities } from './from-acp-client-capabilities.ts'
import { toAcpUpdate, toReportMessage } from './to-acp-update.ts'

/** What an editor is shown of a session that was: the updates of then, and the person's own words, which it did not need to be told. */
export function toReplayUpdates(entry: TranscriptEntry, { notices }: Pick<EditorCapabilities, 'notices'>): readonly SessionUpdate[] {
  if (entry.kind === 'prompt') {
    return entry.content.map((content) => ({ sessionUpdate: 'user_message_chunk', messageId: `prompt_${entry.turn}`, content }))
  }
  const { event } = entry
  // A notice tells of that moment. As a message it was a part of the conversation.
  if (event.type === 'server_report') return notices ? [] : presentOf(toReportMessage(event))
  return presentOf(toAcpUpdate(withoutTerminals(event)))
}

/** The editor of then had the terminal; what ran in it is all that is left. */
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
