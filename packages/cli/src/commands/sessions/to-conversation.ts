import type { ServerReport, ToolOutput, TranscriptEntry } from '@ostler/agent-api'
import {
  planText,
  toPlainText,
  foldTranscript,
  statusOfCall,
  type TranscriptCall,
  type TranscriptItem,
} from '@ostler/agent-api/internal'

/** An item of a session as a person reads it. Each call appears once, where it started, with its result. */
export type ConversationItem =
  | { readonly kind: 'prompt' | 'answer' | 'thought' | 'note'; readonly text: string }
  | ConversationCall

export interface ConversationCall {
  readonly kind: 'call'
  /** Begins with the server, if it has one. */
  readonly name: string
  readonly status: string
  readonly input: unknown
  readonly output: string
}

export function toConversation(transcript: readonly TranscriptEntry[]): ConversationItem[] {
  return foldTranscript(transcript).flatMap(({ items }) => items.flatMap(toConversationItems))
}

function toConversationItems(item: TranscriptItem): readonly ConversationItem[] {
  switch (item.type) {
    case 'prompt':
      return [{ kind: 'prompt', text: toText(item.content) }]
    case 'text':
      return [{ kind: 'answer', text: item.text }]
    case 'thought':
      return [{ kind: 'thought', text: item.text }]
    case 'call':
      return [toCall(item.call)]
    case 'plan':
      return item.entries.length === 0 ? [] : [{ kind: 'note', text: `Plan:\n${planText(item.entries)}` }]
    case 'compaction':
      return [{ kind: 'note', text: compactionNote(item) }]
    case 'report':
      return toNotes(item.report)
    case 'end':
      return item.stopReason === 'end_turn' ? [] : [{ kind: 'note', text: stopNotes[item.stopReason] }]
  }
}

function compactionNote({ summary, error }: Extract<TranscriptItem, { type: 'compaction' }>): string {
  if (summary === undefined)
    return `The older messages could not be summarized for the model. ${error ?? ''}`.trim()
  return `From here on, the model reads a summary instead of the older messages:\n${summary}`
}

const stopNotes = {
  max_tokens: 'The answer reached the maximum length of the model.',
  max_turn_requests: 'The turn reached the maximum number of steps.',
  refusal: 'The model refused to continue.',
  cancelled: 'The turn was cancelled.',
} as const

function toCall(call: TranscriptCall): ConversationCall {
  const { ref, wireName, rawInput, content } = call
  return {
    kind: 'call',
    name: ref === undefined ? wireName : ref.server === null ? ref.tool : `${ref.server}: ${ref.tool}`,
    status: statusOfCall(call),
    input: rawInput,
    output: toText(content),
  }
}

function toText(content: readonly ToolOutput[]): string {
  return content.map(toPlainText).join('\n')
}

function toNotes({ failed, warnings }: ServerReport): ConversationItem[] {
  return [...failed.map(({ server, reason }) => `The server ${server} failed: ${reason}`), ...warnings].map(
    (text) => ({
      kind: 'note',
      text,
    }),
  )
}
