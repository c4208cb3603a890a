import { createMessageId, type SessionId, type ToolCallId } from '../ids.ts'
import type { AssistantMessage, Message, ToolCallEnd, ToolCallOutcome, ToolCallPart } from '../messages/message.ts'
import { errorResult } from '../tools/tool.ts'
import type { CallStatus, StoredCall } from './call.ts'
import type { SessionEntry } from './session-entry.ts'
import { openCalls, textOfOpenCall } from './transcript.ts'

interface Sources {
  readEntries(id: SessionId): readonly SessionEntry[]
  findCall(id: ToolCallId): StoredCall | undefined
}

/**
 * What the model was told, made whole: a process that was killed in the middle of a turn has left calls without results, which no model
 * accepts, and words that were shown and not yet kept as a message, which the person remembers.
 */
export function restoreConversation(sources: Sources, id: SessionId): readonly Message[] {
  return [...Map.groupBy(sources.readEntries(id), ({ turn }) => turn).values()].flatMap((entries) => restoreTurn(sources, entries))
}

function restoreTurn(sources: Sources, entries: readonly SessionEntry[]): readonly Message[] {
  const said = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
  if (isEnded(entries)) return [...said, ...missingResults(sources, said, entries)]
  const begun = said.length > 0 ? said : unheardPrompt(entries)
  // Without a word of the person there is nothing that the rest could answer: a command, and what Ostler itself said to it.
  if (begun.length === 0) return []
  return [...begun, ...missingResults(sources, begun, entries), ...shownSinceLastMessage(entries)]
}

function isEnded(entries: readonly SessionEntry[]): boolean {
  return entries.some((entry) => entry.kind === 'event' && entry.event.type === 'turn_end')
}

/** A prompt that still waited for servers when its process ended: the person sees it, so the model should know of it. */
function unheardPrompt(entries: readonly SessionEntry[]): readonly Message[] {
  const prompt = entries.find((entry) => entry.kind === 'prompt')
  const [first] = prompt?.content ?? []
  if (prompt === undefined || first === undefined || (first.type === 'text' && first.text.trimStart().startsWith('/'))) return []
  return [{ role: 'user', id: createMessageId(), content: prompt.content }]
}

function missingResults(sources: Sources, said: readonly Message[], entries: readonly SessionEntry[]): readonly Message[] {
  const last = said.at(-1)
  const calls = last?.role === 'assistant' ? last.parts.filter((part): part is ToolCallPart => part.type === 'tool_call') : []
  if (calls.length === 0) return []
  const open = new Map(openCalls(entries).map((call) => [call.id, call]))
  return [{ role: 'tool', results: calls.map((call) => outcomeOf(call, sources.findCall(call.id), open.get(call.id)?.hasRun ?? false)) }]
}

/** A call that had ended by then has its result; of the others it is only known whether they were begun. */
function outcomeOf({ id, wireName }: ToolCallPart, call: StoredCall | undefined, hasRun: boolean): ToolCallOutcome {
  const ref = call && { server: call.server, tool: call.tool }
  const outcome = call && ends[call.status]
  if (call?.result && outcome !== undefined)
    return { id, wireName, ref, outcome, result: { isError: outcome !== 'success', ...call.result } }
  return { id, wireName, ref, outcome: 'error', result: errorResult(textOfOpenCall({ hasRun })) }
}

const ends: Readonly<Partial<Record<CallStatus, ToolCallEnd>>> = {
  success: 'success',
  error: 'error',
  denied: 'denied',
  cancelled: 'cancelled',
}

function shownSinceLastMessage(entries: readonly SessionEntry[]): readonly AssistantMessage[] {
  const since = entries.slice(entries.findLastIndex(({ kind }) => kind === 'message') + 1)
  const shown = since.flatMap((entry) => (entry.kind === 'event' && entry.event.type === 'text' ? [entry.event] : []))
  const [first] = shown
  if (first === undefined) return []
  return [{ role: 'assistant', id: first.messageId, parts: [{ type: 'text', text: shown.map(({ text }) => text).join('') }] }]
}
