import type { ToolCallId } from '../ids.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { Redactor } from '../secrets/redact.ts'
import { interruptedText } from './interrupted-calls.ts'
import { joinChunks, type Chunk } from './join-chunks.ts'
import type { SessionEntry } from './session-entry.ts'

/** What a person sent and saw. */
export type TranscriptEntry = Extract<SessionEntry, { kind: 'prompt' | 'event' }>

/**
 * A session as it was seen: pieces of one text joined, and an end for every call. One without has it from the end of its process, and
 * whoever looks must not wait for another.
 */
export function toTranscript(entries: readonly SessionEntry[], redactor?: Redactor): readonly TranscriptEntry[] {
  const shown = entries.filter((entry): entry is TranscriptEntry => entry.kind !== 'message')
  return [...Map.groupBy(shown, ({ turn }) => turn)].flatMap(([turn, own]) => [
    // A turn that has ended was joined when it did; one that was cut off is still in the pieces it came in.
    ...joinChunks(own, chunkOf).map(({ first, chunk }): TranscriptEntry =>
      chunk === undefined ? first : { turn, kind: 'event', event: { ...chunk, text: redactor?.redact(chunk.text) ?? chunk.text } },
    ),
    ...openCalls(own).map((call): TranscriptEntry => ({ turn, kind: 'event', event: interrupted(call) })),
  ])
}

/** Of a turn that was cut off: the calls that were shown and have no end, and whether they had begun to run. */
export function openCalls(entries: readonly SessionEntry[]): readonly OpenCall[] {
  const open = new Map<ToolCallId, OpenCall>()
  for (const entry of entries) {
    if (entry.kind !== 'event') continue
    const { event } = entry
    if (event.type === 'tool_call') open.set(event.call.id, { id: event.call.id, hasRun: false })
    if (event.type !== 'tool_call_update') continue
    if (event.update.status === 'in_progress') open.set(event.id, { id: event.id, hasRun: true })
    if (event.update.status === 'completed' || event.update.status === 'failed') open.delete(event.id)
  }
  return [...open.values()]
}

export interface OpenCall {
  readonly id: ToolCallId
  readonly hasRun: boolean
}

const neverRunText = 'Ostler ended before this call was begun. Nothing was run.'

export function textOfOpenCall({ hasRun }: Pick<OpenCall, 'hasRun'>): string {
  return hasRun ? interruptedText : neverRunText
}

function interrupted(call: OpenCall): TurnEvent {
  const text = textOfOpenCall(call)
  return { type: 'tool_call_update', id: call.id, update: { status: 'failed', content: [{ type: 'text', text }], rawOutput: text } }
}

function chunkOf(entry: TranscriptEntry): Chunk | undefined {
  if (entry.kind !== 'event') return undefined
  return entry.event.type === 'text' || entry.event.type === 'thought' ? entry.event : undefined
}
