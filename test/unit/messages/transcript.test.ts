import { expect, it } from 'vitest'
import {
  foldTranscript,
  statusOfCall,
  type TranscriptEntry,
} from '../../../packages/agent-api/src/messages/transcript.ts'
import type { TurnEvent } from '../../../packages/agent-api/src/messages/turn-event.ts'

it('shows every call of a turn once, with its result', () => {
  const event = (event: object) => ({ turn: 1, kind: 'event', event })
  const transcript = [
    { turn: 1, kind: 'prompt', content: [] },
    event({ type: 'text', messageId: 'm', text: 'a' }),
    event({ type: 'text', messageId: 'm', text: 'b' }),
    event({
      type: 'tool_call',
      call: { id: 'c', wireName: 'w', title: 't', kind: 'read', rawInput: 1, locations: [] },
    }),
    event({
      type: 'tool_call_update',
      id: 'c',
      update: { status: 'completed', end: 'success', content: [{ type: 'text', text: 'r' }] },
    }),
    event({ type: 'tool_call_update', id: 'unknown', update: { status: 'failed' } }),
    event({ type: 'of a later version' }),
    event({ type: 'turn_end', stopReason: 'end_turn', usage: {} }),
  ] as unknown as Parameters<typeof foldTranscript>[0]
  expect(foldTranscript(transcript)[0]?.items).toEqual([
    { type: 'prompt', content: [] },
    { type: 'text', text: 'ab' },
    {
      type: 'call',
      call: {
        id: 'c',
        wireName: 'w',
        title: 't',
        rawInput: 1,
        status: 'completed',
        end: 'success',
        content: [{ type: 'text', text: 'r' }],
      },
    },
    { type: 'end', stopReason: 'end_turn', usage: {} },
  ])
})

const said = (turn: number, messageId: string, text: string): TranscriptEntry => ({
  turn,
  kind: 'event',
  event: { type: 'text', messageId, text },
})
const summary = (status: 'in_progress' | 'completed' | 'failed', more: object = {}) => ({
  type: 'compaction' as const,
  id: 'c',
  status,
  ...more,
})

it('a compaction is one item, when it has ended', () => {
  const entries = [
    summary('in_progress'),
    summary('completed', { summary: 's' }),
    summary('failed', { error: 'e' }),
  ]
  expect(foldTranscript(entries.map((event) => ({ turn: 1, kind: 'event' as const, event })))).toEqual([
    {
      turn: 1,
      items: [
        { type: 'compaction', summary: 's' },
        { type: 'compaction', error: 'e' },
      ],
    },
  ])
})

const usage = { inputTokens: 0, outputTokens: 0, contextUsed: 0, contextSize: 0 }

it('shows the last plan of a turn, and what a call would do', () => {
  const event = (event: object) => ({ turn: 1, kind: 'event', event })
  const entry = (content: string) => ({ content, status: 'pending', priority: 'medium' })
  const call = { id: 'c', wireName: 'w', title: 't', kind: 'edit', rawInput: 1, locations: [] }
  const content = [{ type: 'diff', path: '/a', oldText: null, newText: 'x' }]
  const transcript = [
    event({ type: 'plan', entries: [entry('a'), entry('b')] }),
    event({ type: 'tool_call', call: { ...call, content } }),
    event({ type: 'plan', entries: [entry('b')] }),
  ] as unknown as Parameters<typeof foldTranscript>[0]
  expect(foldTranscript(transcript)[0]?.items).toMatchObject([
    { type: 'call', call: { status: 'pending', content } },
    { type: 'plan', entries: [entry('b')] },
  ])
})

it('joins the pieces of one message, also around a count of tokens, and no others', () => {
  const counted: TurnEvent = { type: 'usage', usage }
  const transcript = [
    said(1, 'a', 'x'),
    { turn: 1, kind: 'event', event: counted } as const,
    said(1, 'a', 'y'),
    said(1, 'b', 'z'),
    said(2, 'b', 'z'),
  ]
  expect(foldTranscript(transcript)).toEqual([
    {
      turn: 1,
      items: [
        { type: 'text', text: 'xy' },
        { type: 'text', text: 'z' },
      ],
    },
    { turn: 2, items: [{ type: 'text', text: 'z' }] },
  ])
})

it.each([
  [{ status: 'pending' }, 'pending'],
  [{ status: 'in_progress' }, 'running'],
  [{ status: 'completed' }, 'success'],
  [{ status: 'failed', end: 'unknown' }, 'error'],
  [{ status: 'failed', end: 'denied' }, 'denied'],
  [{ status: 'failed', end: 'interrupted' }, 'interrupted'],
] as const)('the status of the call %j is %s', (call, status) => expect(statusOfCall(call)).toBe(status))
