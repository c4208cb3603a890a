import { createMessageId, type ToolCallId } from '../base/ids.ts'
import type { AssistantMessage, Message, ToolCallEnd, ToolCallOutcome, ToolCallPart } from '../messages/message.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import { errorResult } from '../messages/tool.ts'
import type { CallStatus, StoredCall } from './call.ts'
import type { SessionEntry } from './session-entry.ts'
import { noteCall, textOfOpenCall, type OpenCalls } from './transcript.ts'

type FindCall = (id: ToolCallId) => StoredCall | undefined

/** The data of a turn from which its messages are restored. */
interface TurnSoFar {
  readonly turn: number
  readonly messages: Message[]
  readonly calls: OpenCalls
  prompt: Extract<SessionEntry, { kind: 'prompt' }> | undefined
  /** Texts shown since the last message. */
  shown: Extract<TurnEvent, { type: 'text' }>[]
  isEnded: boolean
}

/**
 * Restores the model's conversation. A process killed during a turn leaves calls without results, which models reject, and text that was
 * shown but not stored as a message. Takes the entries in order, page by page.
 */
export async function restoreConversation(
  pages: Iterable<readonly SessionEntry[]> | AsyncIterable<readonly SessionEntry[]>,
  findCall: FindCall,
): Promise<readonly Message[]> {
  const messages: Message[] = []
  let current: TurnSoFar | undefined
  for await (const page of pages) {
    for (const entry of page) {
      if (entry.turn !== current?.turn) {
        finish(current)
        current = { turn: entry.turn, messages: [], calls: new Map(), prompt: undefined, shown: [], isEnded: false }
      }
      take(current, entry)
    }
  }
  finish(current)
  return messages

  function finish(turn: TurnSoFar | undefined): void {
    if (turn !== undefined) for (const message of toMessages(turn, findCall)) messages.push(message)
  }
}

function take(turn: TurnSoFar, entry: SessionEntry): void {
  switch (entry.kind) {
    case 'prompt':
      turn.prompt ??= entry
      break
    case 'message':
      turn.messages.push(entry.message)
      turn.shown = []
      break
    case 'event':
      noteCall(turn.calls, entry.event)
      if (entry.event.type === 'text') turn.shown.push(entry.event)
      turn.isEnded ||= entry.event.type === 'turn_end'
      break
  }
}

function toMessages(turn: TurnSoFar, findCall: FindCall): readonly Message[] {
  const { messages, isEnded } = turn
  if (isEnded) return [...messages, ...missingResults(turn, messages, findCall)]
  const known = messages.length > 0 ? messages : unansweredPrompt(turn)
  // Without a prompt there is nothing to answer, as after a command of Ostler itself.
  if (known.length === 0) return []
  return [...known, ...missingResults(turn, known, findCall), ...shownSinceLastMessage(turn)]
}

/** A prompt that was still waiting for servers when its process ended. The person sees it, so the model should too. */
function unansweredPrompt({ prompt }: TurnSoFar): readonly Message[] {
  const [first] = prompt?.content ?? []
  if (prompt === undefined || first === undefined || (first.type === 'text' && first.text.trimStart().startsWith('/'))) return []
  return [{ role: 'user', id: createMessageId(), content: prompt.content }]
}

function missingResults({ calls: open }: TurnSoFar, messages: readonly Message[], findCall: FindCall): readonly Message[] {
  const last = messages.at(-1)
  const calls = last?.role === 'assistant' ? last.parts.filter((part): part is ToolCallPart => part.type === 'tool_call') : []
  if (calls.length === 0) return []
  return [{ role: 'tool', results: calls.map((call) => outcomeOf(call, findCall(call.id), open.get(call.id)?.hasRun ?? false)) }]
}

/** An ended call has a result. For other calls, only whether they started is known. */
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

function shownSinceLastMessage({ shown }: TurnSoFar): readonly AssistantMessage[] {
  const [first] = shown
  if (first === undefined) return []
  return [{ role: 'assistant', id: first.messageId, parts: [{ type: 'text', text: shown.map(({ text }) => text).join('') }] }]
}
