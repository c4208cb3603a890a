import { isRecord, defined } from '../base/is-record.ts'
import type { ContentBlock } from './content.ts'
import { joinChunks, type Chunk } from './join-chunks.ts'
import type { ToolCallEnd } from './message.ts'
import type { PlanEntry } from './plan.ts'
import type { ToolOutput } from './tool.ts'
import type {
  CompactionEvent,
  ServerReport,
  StopReason,
  ToolCallView,
  TurnEvent,
  Usage,
} from './turn-event.ts'

/** Something that a person sent or saw. */
export type TranscriptEntry = { readonly turn: number } & (
  | { readonly kind: 'prompt'; readonly content: readonly ContentBlock[] }
  | { readonly kind: 'event'; readonly event: TurnEvent }
)

interface TranscriptTurn {
  readonly turn: number
  readonly items: readonly TranscriptItem[]
}

export type TranscriptItem =
  | { readonly type: 'prompt'; readonly content: readonly ContentBlock[] }
  | { readonly type: 'text' | 'thought'; readonly text: string }
  | { readonly type: 'call'; readonly call: TranscriptCall }
  | { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
  | { readonly type: 'report'; readonly report: ServerReport }
  /** A summary took the place of older messages for the model, or could not be written. */
  | ({ readonly type: 'compaction'; readonly summary?: string; readonly error?: string } & Pick<
      CompactionEvent,
      'tokensBefore' | 'tokensAfter'
    >)
  | { readonly type: 'end'; readonly stopReason: StopReason; readonly usage?: Usage }

export interface TranscriptCall extends Pick<ToolCallView, 'id' | 'wireName' | 'title' | 'rawInput' | 'ref'> {
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed'
  readonly end?: ToolCallEnd | 'interrupted'
  readonly content: readonly ToolOutput[]
}

type TranscriptStatus = 'pending' | 'running' | 'interrupted' | Exclude<ToolCallEnd, 'unknown' | 'invalid'>

export function statusOfCall({ status, end }: Pick<TranscriptCall, 'status' | 'end'>): TranscriptStatus {
  if (end !== undefined) return end === 'unknown' || end === 'invalid' ? 'error' : end
  return statuses[status]
}

const statuses: Readonly<Record<TranscriptCall['status'], TranscriptStatus>> = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'success',
  failed: 'error',
}

export function chunkOf(entry: TranscriptEntry): Chunk | undefined {
  if (entry.kind !== 'event') return undefined
  return entry.event.type === 'text' || entry.event.type === 'thought' ? entry.event : undefined
}

/** Each text is one item. Each call is one item, at its start. */
export function foldTranscript(transcript: readonly TranscriptEntry[]): readonly TranscriptTurn[] {
  return [...Map.groupBy(transcript, ({ turn }) => turn)].map(([turn, entries]) => ({
    turn,
    items: toItems(entries),
  }))
}

function toItems(entries: readonly TranscriptEntry[]): readonly TranscriptItem[] {
  const calls = foldCalls(entries)
  const lastPlan = entries.findLast((entry) => isPlan(entry))
  const shown = entries.filter((entry) => isShown(entry) && (!isPlan(entry) || entry === lastPlan))
  return joinChunks(shown, chunkOf).flatMap(({ first, chunk }): readonly TranscriptItem[] => {
    if (chunk !== undefined) return [{ type: chunk.type, text: chunk.text }]
    return first.kind === 'prompt' ? [{ type: 'prompt', content: first.content }] : toItem(first.event, calls)
  })
}

function isShown(entry: TranscriptEntry): boolean {
  return entry.kind === 'prompt' || entry.event.type !== 'usage'
}

/** Each plan replaces the previous one, so a turn shows its last. */
function isPlan(entry: TranscriptEntry): boolean {
  return entry.kind === 'event' && entry.event.type === 'plan'
}

/** Events of a later version are unknown, and not shown. */
function toItem(event: TurnEvent, calls: ReadonlyMap<string, TranscriptCall>): readonly TranscriptItem[] {
  switch (event.type) {
    case 'tool_call': {
      const call = calls.get(event.call.id)
      return call === undefined ? [] : [{ type: 'call', call }]
    }
    case 'plan':
      return [{ type: 'plan', entries: event.entries }]
    case 'compaction': {
      const { status, summary, error, tokensBefore, tokensAfter } = event
      if (status !== 'completed' && status !== 'failed') return []
      return [
        {
          type: 'compaction',
          ...defined({ summary, error }),
          ...(typeof tokensBefore === 'number' && { tokensBefore }),
          ...(typeof tokensAfter === 'number' && { tokensAfter }),
        },
      ]
    }
    case 'server_report':
      return [{ type: 'report', report: event.report }]
    case 'turn_end':
      return [
        { type: 'end', stopReason: event.stopReason, ...(isRecord(event.usage) && { usage: event.usage }) },
      ]
    default:
      return []
  }
}

function foldCalls(entries: readonly TranscriptEntry[]): ReadonlyMap<string, TranscriptCall> {
  const calls = new Map<string, TranscriptCall>()
  for (const entry of entries) {
    if (entry.kind !== 'event') continue
    const { event } = entry
    if (event.type === 'tool_call') {
      const { id, wireName, title, rawInput, ref, content = [] } = event.call
      calls.set(id, {
        id,
        wireName,
        title,
        rawInput,
        ref,
        status: 'pending',
        content,
      })
    }
    if (event.type !== 'tool_call_update') continue
    const call = calls.get(event.id)
    if (call !== undefined) {
      const { status, end, title, content } = event.update
      calls.set(event.id, { ...call, ...defined({ status, end, title, content }) })
    }
  }
  return calls
}
