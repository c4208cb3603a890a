import type { ToolCallId } from '../base/ids.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { Redactor } from '../redaction/redact.ts'
import { interruptedText } from './interrupted-calls.ts'
import type { Chunk } from './join-chunks.ts'
import type { SessionEntry } from './session-entry.ts'

/** An entry that a person sent or saw. */
export type TranscriptEntry = Extract<SessionEntry, { kind: 'prompt' | 'event' }>

/**
 * Converts entries to a transcript: joins the pieces of each text, and ends every call. A call without an end was interrupted when its
 * process ended.
 */
export function toTranscript(entries: readonly SessionEntry[], redactor?: Redactor): readonly TranscriptEntry[] {
  const transcriber = createTranscriber(redactor)
  return [...entries.flatMap((entry) => transcriber.take(entry)), ...transcriber.end()]
}

/** Like `toTranscript`, for entries that arrive in pages. */
export async function* transcribe(
  pages: AsyncIterable<readonly SessionEntry[]>,
  redactor?: Redactor,
): AsyncGenerator<TranscriptEntry, void, undefined> {
  const transcriber = createTranscriber(redactor)
  for await (const page of pages) for (const entry of page) yield* transcriber.take(entry)
  yield* transcriber.end()
}

interface Transcriber {
  /** Returns the entries that are complete now. */
  take(entry: SessionEntry): readonly TranscriptEntry[]
  end(): readonly TranscriptEntry[]
}

function createTranscriber(redactor: Redactor | undefined): Transcriber {
  let turn: number | undefined
  let calls: OpenCalls = new Map()
  /** The latest text, which the next piece may continue. */
  let pieces: { readonly first: Chunk; readonly texts: string[] } | undefined

  return {
    take(entry) {
      if (entry.kind === 'message') return []
      const ended = entry.turn === turn ? [] : endTurn()
      turn = entry.turn
      const chunk = chunkOf(entry)
      if (chunk !== undefined && chunk.type === pieces?.first.type && chunk.messageId === pieces.first.messageId) {
        pieces.texts.push(chunk.text)
        return ended
      }
      const told = [...ended, ...endText()]
      if (chunk !== undefined) {
        pieces = { first: chunk, texts: [chunk.text] }
        return told
      }
      if (entry.kind === 'event') noteCall(calls, entry.event)
      return [...told, entry]
    },
    end: endTurn,
  }

  function endTurn(): readonly TranscriptEntry[] {
    const told = [...endText(), ...[...calls.values()].map((call) => toEntry(interrupted(call)))]
    calls = new Map()
    return told
  }

  /** An ended turn was joined when it ended. A turn that was cut off still consists of its pieces. */
  function endText(): readonly TranscriptEntry[] {
    if (pieces === undefined) return []
    const { first, texts } = pieces
    const text = texts.join('')
    pieces = undefined
    return [toEntry({ ...first, text: redactor?.redact(text) ?? text })]
  }

  function toEntry(event: TurnEvent): TranscriptEntry {
    return { turn: turn ?? 0, kind: 'event', event }
  }
}

/** Calls of a turn without an end, and whether each had started to run. */
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
