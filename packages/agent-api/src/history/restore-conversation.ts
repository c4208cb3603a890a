import { createMessageId, type ToolCallId } from '../base/ids.ts'
import type { AssistantMessage, Message, ToolCallEnd, ToolCallOutcome, ToolCallPart } from '../messages/message.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import { errorResult } from '../messages/tool.ts'
import type { CallStatus, StoredCall } from './call.ts'
import type { SessionEntry } from './session-entry.ts'
import { noteCall, textOfOpenCall, type OpenCalls } from './transcript.ts'

type FindCall = (id: ToolCallId) => StoredCall | undefined

/** As much of a turn as its messages can be made whole from. */
interface TurnSoFar {
  readonly turn: number
  readonly said: Message[]
  readonly calls: OpenCalls
  prompt: Extract<SessionEntry, { kind: 'prompt' }> | undefined
  /** Texts since the last message. */
  shown: Extract<TurnEvent, { type: 'text' }>[]
  isEnded: boolean
}

/**
 * What the model was told, made whole: a process that was killed in the middle of a turn has left calls without results, which no model
 * accepts, and words that were shown and not yet kept as a message, which the person remembers. Takes the entries in pieces, in their order.
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
        current = { turn: entry.turn, said: [], calls: new Map(), prompt: undefined, shown: [], isEnded: false }
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
      turn.said.push(entry.message)
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
  const { said, isEnded } = turn
  if (isEnded) return [...said, ...missingResults(turn, said, findCall)]
  const begun = said.length > 0 ? said : unheardPrompt(turn)
  // Without a word of the person there is nothing that the rest could answer: a command, and what Ostler itself said to it.
  if (begun.length === 0) return []
  return [...begun, ...missingResults(turn, begun, findCall), ...shownSinceLastMessage(turn)]
}

/** A prompt that still waited for servers when its process ended: the person sees it, so the model should know of it. */
function unheardPrompt({ prompt }: TurnSoFar): readonly Message[] {
  const [first] = prompt?.content ?? []
  if (prompt === undefined || first === undefined || (first.type === 'text' && first.text.trimStart().startsWith('/'))) return []
  return [{ role: 'user', id: createMessageId(), content: prompt.content }]
}

function missingResults({ calls: open }: TurnSoFar, said: readonly Message[], findCall: FindCall): readonly Message[] {
  const last = said.at(-1)
  const calls = last?.role === 'assistant' ? last.parts.filter((part): part is ToolCallPart => part.type === 'tool_call') : []
  if (calls.length === 0) return []
  return [{ role: 'tool', results: calls.map((call) => outcomeOf(call, findCall(call.id), open.get(call.id)?.hasRun ?? false)) }]
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

function shownSinceLastMessage({ shown }: TurnSoFar): readonly AssistantMessage[] {
  const [first] = shown
  if (first === undefined) return []
  return [{ role: 'assistant', id: first.messageId, parts: [{ type: 'text', text: shown.map(({ text }) => text).join('') }] }]
}
