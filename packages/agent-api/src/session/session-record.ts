import type { SessionId } from '../base/ids.ts'
import type { CallRecorder } from '../state/calls/call.ts'
import type { RestoredFacts } from '../state/sessions/restore-conversation.ts'
import type { Message } from '../messages/message.ts'
import type { FileChanges } from '../messages/file-change.ts'
import { afterBriefingChange, createConversation, type Conversation } from '../messages/conversation.ts'
import type { Cost } from '../messages/turn-event.ts'
import type { SessionLog, SessionSummary } from '../state/sessions/session-entry.ts'
import type { State } from '../state/state.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { Membranes } from './membranes.ts'
import type { SharedParts } from './session.ts'
import { createSessionMemory, tellAgain, type SessionMemory } from './session-memory.ts'
import { createSettings, type SessionChoices, type SessionSettings, type Settings } from './settings.ts'

export interface StoredSession {
  readonly summary: SessionSummary
  readonly messages: readonly Message[]
  readonly facts: RestoredFacts
}

export interface SessionRecord {
  readonly id: SessionId
  readonly state: Pick<State, 'calls' | 'sessions' | 'flushed'>
  readonly calls: () => CallRecorder
  readonly log: SessionLog
  readonly settings: Settings
  /** Undone with a prompt. */
  readonly memory: SessionMemory
  readonly conversation: Conversation
  /** Undefined if the prices are not known. */
  readonly cost: { current: Cost | undefined }
  readonly fileChanges: FileChanges
  /** All that is stored and shown passes them. */
  readonly membranes: Membranes
}

/** A record without its conversation, which begins once the tools are known. */
export type OpenedRecord = Omit<SessionRecord, 'conversation'>

export function openRecord(
  { name, state, membranes }: Pick<SharedParts, 'name' | 'state' | 'membranes'>,
  summary: SessionSummary,
  choices: SessionChoices & Pick<SessionSettings, 'additionalDirectories'>,
  stored: StoredSession | undefined,
  tell: Parameters<typeof createSettings>[2],
): OpenedRecord {
  const { id } = summary
  const log = state.sessions.log(summary, { isStored: stored !== undefined })
  if (stored !== undefined) log.mergeCutOffTurns()
  const settings = createSettings(log, choices, tell)
  return {
    id,
    state,
    calls: () => state.calls.recorder({ agent: name, sessionId: id, turn: settings.current.turns }),
    log,
    settings,
    memory: createSessionMemory(choices.model, stored?.messages, stored?.facts.briefing),
    cost: { current: stored?.facts.cost },
    fileChanges: state.sessions.fileChanges(id, () => settings.current.turns),
    membranes,
  }
}

export function withConversation(record: OpenedRecord, tools: () => readonly OfferedTool[]): SessionRecord {
  const { log, memory, membranes } = record
  const conversation = createConversation(memory, {
    onAdded(message) {
      log.message(membranes.message(message, tools))
    },
    onChanged(change) {
      log.change(change)
      memory.briefing = afterBriefingChange(memory.briefing, change)
      if (change.type === 'compacted') tellAgain(memory)
      if (change.type === 'compacted' || change.type === 'cleared') memory.listed = undefined
    },
  })
  return { ...record, conversation }
}
