import type { TurnEvent } from '@ostler/agent-api'
import { expect, test } from 'vitest'
import { toAcpUpdate } from '../../../packages/acp-server/src/to-acp-update.ts'
import { problemsOfCall } from '../../support/acp-schema.ts'

const usage = { inputTokens: 1, outputTokens: 2, contextUsed: 3.4, contextSize: 200_000 }
const call = {
  id: 'call_1',
  ref: { server: 'files', tool: 'read' },
  wireName: 'files__read',
  title: 'files: read',
  kind: 'read',
  rawInput: { path: 'x' },
  locations: [{ path: '/x' }, { path: '/y', line: 3 }],
} as const
const text = { type: 'text', text: 'hi' } as const

test.each<[TurnEvent, unknown]>([
  [
    { type: 'text', messageId: 'm', text: 'hi' },
    { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text },
  ],
  [
    { type: 'thought', messageId: 'm', text: 'hi' },
    { sessionUpdate: 'agent_thought_chunk', messageId: 'm', content: text },
  ],
  [
    { type: 'thought', messageId: 'm', text: 'hi', isWait: true },
    { sessionUpdate: 'agent_thought_chunk', messageId: 'm', content: text, _meta: { 'ostler/wait': true } },
  ],
  [
    { type: 'tool_call', call },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'call_1',
      title: 'files: read',
      name: 'files__read',
      kind: 'read',
      status: 'pending',
      rawInput: { path: 'x' },
      locations: [{ path: '/x' }, { path: '/y', line: 3 }],
    },
  ],
  [
    { type: 'tool_call_update', id: 'call_1', update: { status: 'in_progress' } },
    { sessionUpdate: 'tool_call_update', toolCallId: 'call_1', status: 'in_progress' },
  ],
  [
    {
      type: 'tool_call_update',
      id: 'call_1',
      update: {
        status: 'completed',
        end: 'success',
        content: [
          text,
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
          { type: 'resource_link', uri: 'file:///x', name: 'x' },
          { type: 'resource', resource: { uri: 'file:///x', text: 'x' } },
          { type: 'diff', path: '/x', oldText: null, newText: 'x' },
          { type: 'terminal', terminalId: 't', text: 'for the model' },
        ],
        rawOutput: { ok: true },
        locations: [],
      },
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'call_1',
      status: 'completed',
      content: [
        { type: 'content', content: text },
        { type: 'content', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
        { type: 'content', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } },
        { type: 'content', content: { type: 'resource_link', uri: 'file:///x', name: 'x' } },
        { type: 'content', content: { type: 'resource', resource: { uri: 'file:///x', text: 'x' } } },
        { type: 'diff', path: '/x', oldText: null, newText: 'x' },
        { type: 'terminal', terminalId: 't' },
      ],
      rawOutput: { ok: true },
      locations: [],
    },
  ],
  [
    { type: 'usage', usage },
    { sessionUpdate: 'usage_update', used: 3, size: 200_000 },
  ],
])('%j becomes an update that ACP allows', (event, expected) => {
  const update = toAcpUpdate(event)
  expect(update).toEqual(expected)
  expect(problemsOfCall('session/update', { sessionId: 's', update }, 'notification')).toEqual([])
})

test('the end of a turn and the report of its servers are not updates', () => {
  expect(toAcpUpdate({ type: 'turn_end', stopReason: 'end_turn', usage })).toBeUndefined()
  expect(
    toAcpUpdate({
      type: 'server_report',
      messageId: 'report_1',
      report: { connected: [], waiting: [], failed: [], warnings: [] },
    }),
  ).toBeUndefined()
})
