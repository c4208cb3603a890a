import type { ContentBlock, ServerReport, StopReason, ToolCallEnd, ToolCallView, ToolOutput, TranscriptEntry } from '@ostler/agent-api'

export interface TurnView {
  readonly turn: number
  readonly items: readonly TurnItem[]
}

export type TurnItem =
  | { readonly type: 'prompt'; readonly content: readonly ContentBlock[] }
  | { readonly type: 'text' | 'thought'; readonly text: string }
  | { readonly type: 'call'; readonly call: CallView }
  | { readonly type: 'report'; readonly report: ServerReport }
  | { readonly type: 'end'; readonly stopReason: StopReason }

/** A call with all that became known of it later. */
export interface CallView extends Pick<ToolCallView, 'id' | 'wireName' | 'title' | 'rawInput'> {
  readonly ref?: ToolCallView['ref']
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed'
  readonly end?: ToolCallEnd
  readonly content: readonly ToolOutput[]
}

/** The transcript as it was read in the editor: every call once, where it began, as it ended. */
export function toTurns(transcript: readonly TranscriptEntry[]): readonly TurnView[] {
  return [...Map.groupBy(transcript, ({ turn }) => turn)].map(([turn, entries]) => ({ turn, items: toItems(entries) }))
}

function toItems(entries: readonly TranscriptEntry[]): TurnItem[] {
  const items: TurnItem[] = []
  const callAt = new Map<string, number>()
  for (const entry of entries) {
    if (entry.kind === 'prompt') {
      items.push({ type: 'prompt', content: entry.content })
      continue
    }
    const { event } = entry
    switch (event.type) {
      case 'text':
      case 'thought': {
        const last = items.at(-1)
        if (last?.type === event.type) items[items.length - 1] = { type: event.type, text: last.text + event.text }
        else items.push({ type: event.type, text: event.text })
        break
      }
      case 'tool_call': {
        const { id, wireName, title, rawInput, ref } = event.call
        callAt.set(id, items.length)
        items.push({
          type: 'call',
          call: { id, wireName, title, rawInput, ...(ref === undefined ? {} : { ref }), status: 'pending', content: [] },
        })
        break
      }
      case 'tool_call_update': {
        const at = callAt.get(event.id)
        const item = at === undefined ? undefined : items[at]
        if (at === undefined || item?.type !== 'call') break
        const { status, end, title, content } = event.update
        items[at] = {
          type: 'call',
          call: {
            ...item.call,
            ...(status === undefined ? {} : { status }),
            ...(end === undefined ? {} : { end }),
            ...(title === undefined ? {} : { title }),
            ...(content === undefined ? {} : { content }),
          },
        }
        break
      }
      case 'server_report':
        items.push({ type: 'report', report: event.report })
        break
      case 'turn_end':
        items.push({ type: 'end', stopReason: event.stopReason })
        break
      case 'usage':
        break
      default:
        // An event of a later version: what is not known is not shown.
        break
    }
  }
  return items
}
