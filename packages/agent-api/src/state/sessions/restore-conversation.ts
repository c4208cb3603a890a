import type { Strike } from '../../base/clean-text.ts'
import { createMessageId, type ToolCallId } from '../../base/ids.ts'
import { applyChange, afterBriefingChange, type Briefing } from '../../messages/conversation.ts'
import type {
  AssistantMessage,
  Message,
  ToolCallEnd,
  ToolCallOutcome,
  ToolCallPart,
} from '../../messages/message.ts'
import type { TurnEvent, Cost } from '../../messages/turn-event.ts'
import { errorResult } from '../../messages/tool.ts'
import type { CallStatus, StoredCall } from '../calls/call.ts'
import type { SessionEntry } from './session-entry.ts'
import { textOfInterrupted } from '../calls/call.ts'
import { noteCall, type OpenCalls } from './transcript.ts'

type FindCall = (id: ToolCallId) => StoredCall | undefined

interface TurnSoFar {
  readonly turn: number
  /** Includes messages that the model no longer reads. */
  stored: number
  readonly calls: OpenCalls
  prompt: Extract<SessionEntry, { kind: 'prompt' }> | undefined
  /** Texts shown since the last message. */
  shown: Extract<TurnEvent, { type: 'text' }>[]
  isEnded: boolean
}

export interface RestoreOptions {
  readonly onEntry?: (entry: SessionEntry) => void
  /** True for the name of a command that the model never reads. */
  readonly isOwnCommand: (name: string) => boolean
  /** Strikes secrets from joined texts: in the pieces, they cannot be found. */
  readonly strike?: Strike
}

/**
 * Restores the model's conversation. A process killed during a turn leaves calls without results, which models reject, and text that was
 * shown but not stored as a message. Takes the entries in order, page by page.
 */
export async function restoreConversation(
  pages: Iterable<readonly SessionEntry[]> | AsyncIterable<readonly SessionEntry[]>,
  findCall: FindCall,
  { onEntry = () => {}, isOwnCommand, strike = (value) => value }: RestoreOptions,
): Promise<readonly Message[]> {
  let messages: Message[] = []
  let current: TurnSoFar | undefined
  for await (const page of pages) {
    for (const entry of page) {
      if (entry.turn !== current?.turn) {
        finish(current)
        current = {
          turn: entry.turn,
          stored: 0,
          calls: new Map(),
          prompt: undefined,
          shown: [],
          isEnded: false,
        }
      }
      take(current, entry)
      onEntry(entry)
      if (entry.kind === 'message') messages.push(entry.message)
      if (entry.kind === 'change') {
        const changed = applyChange(messages, entry.change)
        if (changed !== messages) messages = [...changed]
      }
    }
  }
  finish(current)
  return messages

  function finish(turn: TurnSoFar | undefined): void {
    if (turn !== undefined)
      messages.push(...missingMessages(turn, messages.at(-1), { findCall, isOwnCommand, strike }))
  }
}

function take(turn: TurnSoFar, entry: SessionEntry): void {
  switch (entry.kind) {
    case 'prompt':
      turn.prompt ??= entry
      break
    case 'message':
      turn.stored++
      turn.shown = []
      break
    case 'change':
      break
    case 'event':
      noteCall(turn.calls, entry.event)
      if (entry.event.type === 'text') turn.shown.push(entry.event)
      turn.isEnded ||= entry.event.type === 'turn_end'
      break
  }
}

/** `last` is the last message that was stored. */
function missingMessages(
  turn: TurnSoFar,
  last: Message | undefined,
  {
    findCall,
    isOwnCommand,
    strike,
  }: Pick<RestoreOptions, 'isOwnCommand'> & { readonly findCall: FindCall; readonly strike: Strike },
): readonly Message[] {
  const lastOfTurn = turn.stored > 0 ? last : undefined
  if (turn.isEnded) return missingResults(turn, lastOfTurn, findCall)
  const prompt = turn.stored > 0 ? [] : unansweredPrompt(turn, isOwnCommand)
  // Without a prompt there is nothing to answer, as after a command of Ostler itself.
  if (turn.stored === 0 && prompt.length === 0) return []
  return [...prompt, ...missingResults(turn, lastOfTurn, findCall), ...strike(shownSinceLastMessage(turn))]
}

/** A path with several parts is not a command. */
const commandLine = /^\s*\/([A-Za-z][\w:.-]*)(?:\s|$)/

/**
 * A prompt that was still waiting for servers when its process ended. The person sees it, so the model should too. A command that stands for
 * a prompt is restored as it was typed.
 */
function unansweredPrompt(
  { prompt }: TurnSoFar,
  isOwnCommand: RestoreOptions['isOwnCommand'],
): readonly Message[] {
  const [first] = prompt?.content ?? []
  if (prompt === undefined || first === undefined) return []
  const [, command] = (first.type === 'text' && commandLine.exec(first.text)) || []
  if (command !== undefined && isOwnCommand(command)) return []
  return [{ role: 'user', id: createMessageId(), content: prompt.content }]
}

function missingResults(
  { calls: open }: TurnSoFar,
  last: Message | undefined,
  findCall: FindCall,
): readonly Message[] {
  const calls =
    last?.role === 'assistant'
      ? last.parts.filter((part): part is ToolCallPart => part.type === 'tool_call')
      : []
  if (calls.length === 0) return []
  return [
    {
      role: 'tool',
      results: calls.map((call) => outcomeOf(call, findCall(call.id), open.get(call.id)?.hasRun ?? false)),
    },
  ]
}

/** An ended call has a result. For other calls, only whether they started is known. */
function outcomeOf(
  { id, wireName }: ToolCallPart,
  call: StoredCall | undefined,
  hasRun: boolean,
): ToolCallOutcome {
  const ref = call && { server: call.server, tool: call.tool }
  const outcome = call && ends[call.status]
  if (call?.result && outcome !== undefined)
    return { id, wireName, ref, outcome, result: { isError: outcome !== 'success', ...call.result } }
  return { id, wireName, ref, outcome: 'error', result: errorResult(textOfInterrupted(hasRun)) }
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
  return [
    {
      role: 'assistant',
      id: first.messageId,
      parts: [{ type: 'text', text: shown.map(({ text }) => text).join('') }],
    },
  ]
}

export interface RestoredFacts {
  readonly cost?: Cost | undefined
  readonly briefing?: Briefing | undefined
}

export function withEntry(facts: RestoredFacts, entry: SessionEntry): RestoredFacts {
  if (entry.kind === 'change')
    return { ...facts, briefing: afterBriefingChange(facts.briefing, entry.change) }
  if (entry.kind === 'event' && entry.event.type === 'usage')
    return { ...facts, cost: entry.event.usage.cost ?? facts.cost }
  return facts
}
