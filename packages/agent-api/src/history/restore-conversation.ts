import type { SessionId, ToolCallId } from '../ids.ts'
import type { AssistantMessage, Message, ToolCallOutcome, ToolCallPart } from '../messages/message.ts'
import { errorResult } from '../tools/tool.ts'
import type { StoredCall } from './call.ts'
import { interruptedText } from './interrupted-calls.ts'
import type { SessionEntry } from './session-entry.ts'

interface Sources {
  readEntries(id: SessionId): readonly SessionEntry[]
  findCall(id: ToolCallId): StoredCall | undefined
}

/**
 * What the model was told, made whole: a process that was killed in the middle of a turn has left calls without results, which no model
 * accepts, and words that were shown and not yet kept as a message, which the person remembers.
 */
export function restoreConversation(sources: Sources, id: SessionId): readonly Message[] {
  const messages: Message[] = []
  for (const entries of byTurn(sources.readEntries(id))) {
    const said = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
    messages.push(...said)
    const last = said.at(-1)
    const calls = last?.role === 'assistant' ? last.parts.filter((part): part is ToolCallPart => part.type === 'tool_call') : []
    if (calls.length > 0) messages.push({ role: 'tool', results: calls.map((call) => outcomeOf(call, sources.findCall(call.id))) })
    const unfinished = isEnded(entries) ? undefined : shownSinceLastMessage(entries)
    if (unfinished !== undefined) messages.push(unfinished)
  }
  return messages
}

function byTurn(entries: readonly SessionEntry[]): Iterable<readonly SessionEntry[]> {
  return Map.groupBy(entries, ({ turn }) => turn).values()
}

function isEnded(entries: readonly SessionEntry[]): boolean {
  return entries.some((entry) => entry.kind === 'event' && entry.event.type === 'turn_end')
}

function shownSinceLastMessage(entries: readonly SessionEntry[]): AssistantMessage | undefined {
  const since = entries.slice(entries.findLastIndex(({ kind }) => kind === 'message') + 1)
  const shown = since.flatMap((entry) => (entry.kind === 'event' && entry.event.type === 'text' ? [entry.event] : []))
  const [first] = shown
  if (first === undefined) return undefined
  return { role: 'assistant', id: first.messageId, parts: [{ type: 'text', text: shown.map(({ text }) => text).join('') }] }
}

/** A call that had ended by then has its result; of the others nobody knows how far they came. */
function outcomeOf({ id, wireName }: ToolCallPart, call: StoredCall | undefined): ToolCallOutcome {
  const ref = call && { server: call.server, tool: call.tool }
  if (call?.result && (call.status === 'success' || call.status === 'error')) {
    return { id, wireName, ref, outcome: call.status, result: { isError: call.status === 'error', ...call.result } }
  }
  return { id, wireName, ref, outcome: 'error', result: errorResult(interruptedText) }
}
