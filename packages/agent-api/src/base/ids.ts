import { randomUUID } from 'node:crypto'

export type SessionId = string
export type ToolCallId = string
export type MessageId = string

export function createSessionId(): SessionId {
  return randomUUID()
}

export function createMessageId(): MessageId {
  return `msg_${randomUUID()}`
}

/** What Ostler itself has to say of a session's servers: told apart from what the model says. */
export function createReportId(): MessageId {
  return `report_${randomUUID()}`
}

/** Ids of tool calls are ours, not the model's: some vendors repeat theirs from turn to turn. */
export function createToolCallId(): ToolCallId {
  return `call_${randomUUID()}`
}
