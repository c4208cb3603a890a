import type { Strike } from '../../base/clean-text.ts'
import type { ToolCallId } from '../../base/ids.ts'
import { createChunkJoiner, type Joined } from '../../messages/join-chunks.ts'
import { chunkOf, type TranscriptEntry } from '../../messages/transcript.ts'
import type { CompactionEvent, TurnEvent } from '../../messages/turn-event.ts'
import { textOfInterrupted } from '../calls/call.ts'
import type { SessionEntry } from './session-entry.ts'

/**
 * Converts entries to a transcript: joins the pieces of each text, and ends every call. A call without an end was interrupted when its
 * process ended.
 */
export function toTranscript(entries: readonly SessionEntry[]): readonly TranscriptEntry[] {
  const transcriber = createTranscriber({})
  return [...entries.flatMap((entry) => transcriber.take(entry)), ...transcriber.end()]
}

interface TranscriptOptions {
  readonly isOpen?: (call: ToolCallId) => boolean
  /** Strikes secrets from joined texts: in the pieces, they cannot be found. */
  readonly strike?: Strike
}

export async function* transcribe(
  pages: AsyncIterable<readonly SessionEntry[]>,
  options: TranscriptOptions = {},
): AsyncGenerator<TranscriptEntry, void, undefined> {
  const transcriber = createTranscriber(options)
  for await (const page of pages) for (const entry of page) yield* transcriber.take(entry)
  yield* transcriber.end()
}

interface Transcriber {
  take(entry: SessionEntry): readonly TranscriptEntry[]
  end(): readonly TranscriptEntry[]
}

function createTranscriber({
  isOpen = () => false,
  strike = (value) => value,
}: TranscriptOptions): Transcriber {
  const texts = createChunkJoiner(chunkOf)
  let turn = 0
  let calls: OpenCalls = new Map()
  let compaction: CompactionEvent | undefined

  return {
    take(entry) {
      if (entry.kind === 'message' || entry.kind === 'change') return []
      const ended = entry.turn === turn ? [] : endTurn()
      turn = entry.turn
      if (entry.kind === 'event') noteCall(calls, entry.event)
      if (entry.kind === 'event' && entry.event.type === 'compaction') compaction = entry.event
      return [...ended, ...texts.add(entry).map(toEntry)]
    },
    end: endTurn,
  }

  function endTurn(): readonly TranscriptEntry[] {
    const toEvent = (event: TurnEvent): TranscriptEntry => ({ turn, kind: 'event', event })
    const open = [...calls.values()].filter(({ id }) => !isOpen(id)).map((call) => toEvent(interrupted(call)))
    const cutOff =
      compaction?.status === 'in_progress' ? [toEvent({ ...compaction, status: 'cancelled' })] : []
    calls = new Map()
    compaction = undefined
    return [...texts.end().map(toEntry), ...open, ...cutOff]
  }

  /** An ended turn was joined when it ended. A turn that was cut off still consists of its pieces. */
  function toEntry({ first, chunk }: Joined<TranscriptEntry>): TranscriptEntry {
    if (chunk === undefined) return first
    return { turn: first.turn, kind: 'event', event: { ...chunk, text: strike(chunk.text) } }
  }
}

export type OpenCalls = Map<ToolCallId, OpenCall>

interface OpenCall {
  readonly id: ToolCallId
  readonly hasRun: boolean
}

export function noteCall(calls: OpenCalls, event: TurnEvent): void {
  if (event.type === 'tool_call') calls.set(event.call.id, { id: event.call.id, hasRun: false })
  if (event.type !== 'tool_call_update') return
  if (event.update.status === 'in_progress') calls.set(event.id, { id: event.id, hasRun: true })
  if (event.update.status === 'completed' || event.update.status === 'failed') calls.delete(event.id)
}

function interrupted(call: OpenCall): TurnEvent {
  const text = textOfInterrupted(call.hasRun)
  return {
    type: 'tool_call_update',
    id: call.id,
    update: { status: 'failed', end: 'interrupted', content: [{ type: 'text', text }], rawOutput: text },
  }
}
