import {
  toPlainText,
  type ServerReport,
  type ToolCallUpdate,
  type ToolCallView,
  type ToolRef,
  type TranscriptEntry,
} from '@ostler/agent-api'

/** A session as a person reads it: every call once, as it ended, where it began. */
export type ConversationItem = { readonly kind: 'prompt' | 'answer' | 'thought' | 'note'; readonly text: string } | ConversationCall

export interface ConversationCall {
  readonly kind: 'call'
  readonly ref: ToolRef
  readonly status: string
  readonly input: unknown
  readonly output: string
}

export function toConversation(transcript: readonly TranscriptEntry[]): ConversationItem[] {
  const updates = new Map<string, ToolCallUpdate>()
  for (const entry of transcript) {
    if (entry.kind !== 'event' || entry.event.type !== 'tool_call_update') continue
    const { id, update } = entry.event
    updates.set(id, { ...updates.get(id), ...update })
  }
  const items: ConversationItem[] = []
  let lastMessage: string | undefined
  for (const entry of transcript) {
    if (entry.kind === 'prompt') {
      items.push({ kind: 'prompt', text: entry.content.map(toPlainText).join('\n') })
      continue
    }
    const { event } = entry
    const isChunk = event.type === 'text' || event.type === 'thought'
    const message = isChunk ? `${event.type} ${event.messageId}` : undefined
    if (event.type === 'usage') continue
    if (event.type === 'text' || event.type === 'thought') {
      const kind = event.type === 'text' ? 'answer' : 'thought'
      const last = items.at(-1)
      // A turn that is still under way has its text in pieces.
      if (message === lastMessage && last?.kind === kind) items[items.length - 1] = { kind, text: last.text + event.text }
      else items.push({ kind, text: event.text })
    } else if (event.type === 'tool_call') items.push(toCall(event.call, updates.get(event.call.id)))
    else if (event.type === 'server_report') items.push(...toNotes(event.report))
    else if (event.type === 'turn_end' && event.stopReason !== 'end_turn') items.push({ kind: 'note', text: stopNotes[event.stopReason] })
    lastMessage = message
  }
  return items
}

const stopNotes = {
  max_tokens: 'The answer ended at the length the model allows.',
  max_turn_requests: 'The turn ended after as many steps as it may take.',
  refusal: 'The model refused to go on.',
  cancelled: 'The turn was cancelled.',
} as const

function toCall(call: ToolCallView, update: ToolCallUpdate | undefined): ConversationCall {
  return {
    kind: 'call',
    ref: call.ref ?? { server: null, tool: call.wireName },
    status: update?.end ?? update?.status ?? 'pending',
    input: call.rawInput,
    output: update?.content?.map(toPlainText).join('\n') ?? '',
  }
}

function toNotes({ failed, warnings }: ServerReport): ConversationItem[] {
  return [...failed.map(({ server, reason }) => `The server ${server} failed: ${reason}`), ...warnings].map((text) => ({
    kind: 'note',
    text,
  }))
}
