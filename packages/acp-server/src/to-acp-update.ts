import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { ServerReport, ToolCallUpdate, ToolCallView, TurnEvent, Usage } from '@ostler/agent-api'
import { isFor } from '@ostler/agent-api/internal'
import { toReportText } from './to-acp-notice.ts'
import { toAcpLocation, toAcpToolContent } from './to-acp-tool-content.ts'

/** The session update for an event. Undefined for events that are shown in another way. */
export function toAcpUpdate(event: TurnEvent): SessionUpdate | undefined {
  switch (event.type) {
    case 'text':
      return {
        sessionUpdate: 'agent_message_chunk',
        messageId: event.messageId,
        content: { type: 'text', text: event.text },
      }
    case 'thought':
      return {
        sessionUpdate: 'agent_thought_chunk',
        messageId: event.messageId,
        content: { type: 'text', text: event.text },
        ...(event.isWait === true && { _meta: { 'ostler/wait': true } }),
      }
    case 'tool_call':
      return { sessionUpdate: 'tool_call', ...toAcpToolCall(event.call) }
    case 'tool_call_update':
      return { sessionUpdate: 'tool_call_update', toolCallId: event.id, ...toAcpToolCallUpdate(event.update) }
    case 'plan':
      return {
        sessionUpdate: 'plan',
        entries: event.entries.map(({ content, status, priority }) => ({ content, status, priority })),
      }
    case 'usage':
      return toUsageUpdate(event.usage)
    case 'compaction':
    case 'server_report':
    case 'turn_end':
      return undefined
  }
}

/** ACP has no field for an estimate. */
function toUsageUpdate({ contextUsed, contextSize, isEstimate, cost }: Usage): SessionUpdate {
  return {
    sessionUpdate: 'usage_update',
    used: Math.round(contextUsed),
    size: Math.round(contextSize),
    ...(cost !== undefined && { cost: { amount: cost.amount, currency: cost.currency } }),
    ...(isEstimate === true && { _meta: { 'ostler/estimated': true } }),
  }
}

/** The report for editors without notices. A separate message, so that it does not look like the model's answer. */
export function toReportMessage({
  messageId,
  report,
}: {
  readonly messageId: string
  readonly report: ServerReport
}): SessionUpdate | undefined {
  const text = toReportText(report)
  return text === undefined
    ? undefined
    : { sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } }
}

/** Also included in permission requests, because an editor may show only those. */
export function toAcpToolCall(call: ToolCallView) {
  return {
    toolCallId: call.id,
    title: call.title,
    name: call.wireName,
    kind: call.kind,
    status: 'pending' as const,
    ...(call.rawInput === undefined ? {} : { rawInput: call.rawInput }),
    // ACP has no field for the call that started this one.
    ...(call.parentId === undefined ? {} : { _meta: { 'ostler/parentToolCallId': call.parentId } }),
    locations: call.locations.map(toAcpLocation),
    ...(call.content === undefined ? {} : { content: call.content.map(toAcpToolContent) }),
  }
}

function toAcpToolCallUpdate({ status, title, content, rawOutput, locations }: ToolCallUpdate) {
  return {
    ...(status === undefined ? {} : { status }),
    ...(title === undefined ? {} : { title }),
    ...(content === undefined
      ? {}
      : { content: content.filter((item) => isFor('user', item)).map(toAcpToolContent) }),
    ...(rawOutput === undefined ? {} : { rawOutput }),
    ...(locations === undefined ? {} : { locations: locations.map(toAcpLocation) }),
  }
}
