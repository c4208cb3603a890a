import type { ToolCallView, TranscriptEntry, TurnEvent } from '@ostler/agent-api'
import { expect, it } from 'vitest'
import { toConversation } from '../../../../../packages/cli/src/commands/sessions/to-conversation.ts'

const call = (id: string, over: Partial<ToolCallView> = {}) =>
  ({
    type: 'tool_call',
    call: {
      id,
      ref: { server: 'work', tool: 'weigh' },
      wireName: 'work__weigh',
      rawInput: { a: 1 },
      ...over,
    },
  }) as TurnEvent
const update = (id: string, fields: object) => ({ type: 'tool_call_update', id, update: fields }) as TurnEvent
const said = (messageId: string, text: string, type = 'text') => ({ type, messageId, text }) as TurnEvent
const end = (stopReason: string) => ({ type: 'turn_end', stopReason, usage: {} }) as TurnEvent

function conversationOf(...events: readonly TurnEvent[]) {
  const prompt: TranscriptEntry = { turn: 1, kind: 'prompt', content: [{ type: 'text', text: 'go' }] }
  const told = events.map((event): TranscriptEntry => ({ turn: 1, kind: 'event', event }))
  const [first, ...items] = toConversation([prompt, ...told])
  expect(first).toEqual({ kind: 'prompt', text: 'go' })
  return items
}

it('joins only the pieces of the same message', () => {
  expect(
    conversationOf(
      said('1', 'hmm', 'thought'),
      said('1', 'hel'),
      said('1', 'lo'),
      said('2', 'again'),
      end('end_turn'),
    ),
  ).toEqual([
    { kind: 'thought', text: 'hmm' },
    { kind: 'answer', text: 'hello' },
    { kind: 'answer', text: 'again' },
  ])
})

it('shows a call once, at its start, with its result', () => {
  const content = [{ type: 'text', text: '12 kg' }]
  expect(
    conversationOf(
      call('1'),
      said('1', 'and'),
      update('1', { status: 'in_progress' }),
      update('1', { status: 'completed', content }),
      call('2'),
      update('2', { end: 'denied', status: 'failed' }),
      call('3', { ref: undefined, wireName: 'no_such' }),
    ),
  ).toEqual([
    { kind: 'call', name: 'work: weigh', status: 'success', input: { a: 1 }, output: '12 kg' },
    { kind: 'answer', text: 'and' },
    { kind: 'call', name: 'work: weigh', status: 'denied', input: { a: 1 }, output: '' },
    { kind: 'call', name: 'no_such', status: 'pending', input: { a: 1 }, output: '' },
  ])
})

it('notes errors, and why a turn ended early', () => {
  const report = {
    connected: [],
    waiting: [],
    failed: [{ server: 'work', reason: 'gone' }],
    warnings: ['careful'],
  }
  expect(
    conversationOf(
      { type: 'server_report', messageId: '1', report } as unknown as TurnEvent,
      { type: 'usage', usage: {} } as TurnEvent,
      end('cancelled'),
      end('max_tokens'),
      end('max_turn_requests'),
      end('refusal'),
    ),
  ).toEqual([
    { kind: 'note', text: 'The server work failed: gone' },
    { kind: 'note', text: 'careful' },
    { kind: 'note', text: 'The turn was cancelled.' },
    { kind: 'note', text: 'The answer reached the maximum length of the model.' },
    { kind: 'note', text: 'The turn reached the maximum number of steps.' },
    { kind: 'note', text: 'The model refused to continue.' },
  ])
})
