import { randomUUID } from 'node:crypto'

/** The id of a session. Never reused. */
export type SessionId = string
export type ToolCallId = string
export type MessageId = string
export type CompactionId = string

export function createSessionId(): SessionId {
  return randomUUID()
}

export function createMessageId(): MessageId {
  return `msg_${randomUUID()}`
}

/** For a message in which Ostler itself reports on a session's servers. The prefix separates it from messages of the model. */
export function createReportId(): MessageId {
  return `report_${randomUUID()}`
}

/** Ostler makes its own tool call ids, because some vendors repeat theirs from turn to turn. */
export function createToolCallId(): ToolCallId {
  return `call_${randomUUID()}`
}

export function createCompactionId(): CompactionId {
  return `compaction_${randomUUID()}`
}
