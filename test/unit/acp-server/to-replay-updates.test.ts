import type { ToolOutput, TurnEvent } from '@ostler/agent-api'
import { expect, test } from 'vitest'
import { toReplayUpdates } from '../../../packages/acp-server/src/to-replay-updates.ts'
import { problemsOfCall } from '../../support/acp-schema.ts'

const usage = { inputTokens: 1, outputTokens: 2, contextUsed: 3, contextSize: 200_000 }
const text = (value: string) => ({ type: 'text', text: value }) as const
const message = (value: string) => ({
  sessionUpdate: 'agent_message_chunk',
  messageId: 'm',
  content: text(value),
})
const changed = (...content: ToolOutput[]): TurnEvent => ({
  type: 'tool_call_update',
  id: 'c',
  update: { status: 'completed', content },
})
const shown = (...content: object[]) => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: 'c',
  status: 'completed',
  content,
})
const failed = { connected: [], waiting: [], failed: [{ server: 's', reason: 'r' }], warnings: [] }
const healthy = { connected: [{ server: 's', tools: 1 }], waiting: [], failed: [], warnings: [] }
const diff = { type: 'diff', path: '/a', oldText: null, newText: 'x' } as const

test.each<[string, TurnEvent, unknown[], unknown[]]>([
  ['text', { type: 'text', messageId: 'm', text: 'hi' }, [message('hi')], [message('hi')]],
  ['the end of a turn', { type: 'turn_end', stopReason: 'end_turn', usage }, [], []],
  [
    'a report',
    { type: 'server_report', messageId: 'm', report: failed },
    [message('> MCP server "s" is not available: r\n\n')],
    [],
  ],
  ['a report that said nothing', { type: 'server_report', messageId: 'm', report: healthy }, [], []],
  ['a diff', changed(diff), [shown(diff)], [shown(diff)]],
  [
    'a terminal and what it printed',
    changed({ type: 'terminal', terminalId: 't', text: 'out' }, text('more')),
    [shown({ type: 'content', content: text('out') }, { type: 'content', content: text('more') })],
    [shown({ type: 'content', content: text('out') }, { type: 'content', content: text('more') })],
  ],
  [
    'a terminal that had printed nothing yet',
    changed({ type: 'terminal', terminalId: 't', text: '' }),
    [shown()],
    [shown()],
  ],
])('%s', (_, event, plain, withNotices) => {
  for (const [notices, expected] of [
    [false, plain],
    [true, withNotices],
  ] as const) {
    const updates = toReplayUpdates({ turn: 1, kind: 'event', event }, { notices, compaction: false })
    expect(updates).toEqual(expected)
    for (const update of updates)
      expect(problemsOfCall('session/update', { sessionId: 's', update }, 'notification')).toEqual([])
  }
})

test('a prompt is one message, with a chunk for each of its blocks', () => {
  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const
  expect(
    toReplayUpdates(
      { turn: 7, kind: 'prompt', content: [text('look'), image] },
      { notices: false, compaction: false },
    ),
  ).toEqual([
    { sessionUpdate: 'user_message_chunk', messageId: 'prompt_7', content: text('look') },
    { sessionUpdate: 'user_message_chunk', messageId: 'prompt_7', content: image },
  ])
})
