import type { ToolCallId } from '../ids.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import { interruptedText } from './interrupted-calls.ts'
import type { SessionEntry } from './session-entry.ts'

/** What a person sent and saw. */
export type TranscriptEntry = Extract<SessionEntry, { kind: 'prompt' | 'event' }>

/** A session as it was seen. A call that has no end, because the process had one, gets it here. */
export function toTranscript(entries: readonly SessionEntry[]): readonly TranscriptEntry[] {
  const shown = entries.filter((entry): entry is TranscriptEntry => entry.kind !== 'message')
  const open = new Map<ToolCallId, number>()
  const transcript: TranscriptEntry[] = []
  for (const [index, entry] of shown.entries()) {
    transcript.push(entry)
    if (entry.kind === 'event' && entry.event.type === 'tool_call') open.set(entry.event.call.id, entry.turn)
    if (entry.kind === 'event' && entry.event.type === 'tool_call_update' && isEnd(entry.event)) open.delete(entry.event.id)
    if (shown[index + 1]?.turn === entry.turn) continue
    for (const [id, turn] of open) transcript.push({ turn, kind: 'event', event: interrupted(id) })
    open.clear()
  }
  return transcript
}

function isEnd({ update }: Extract<TurnEvent, { type: 'tool_call_update' }>): boolean {
  return update.status === 'completed' || update.status === 'failed'
}

function interrupted(id: ToolCallId): TurnEvent {
  const content = [{ type: 'text' as const, text: interruptedText }]
  return { type: 'tool_call_update', id, update: { status: 'failed', content, rawOutput: interruptedText } }
}
