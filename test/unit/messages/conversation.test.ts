import { describe, expect, test } from 'vitest'
import {
  applyChange,
  isPrompt,
  isSummary,
  toNote,
} from '../../../packages/agent-api/src/messages/conversation.ts'
import type { Message } from '../../../packages/agent-api/src/messages/message.ts'

const user = (id: string): Message => ({ role: 'user', id, content: [{ type: 'text', text: id }] })
const call = (id: string): Message => ({
  role: 'assistant',
  id: `a-${id}`,
  parts: [{ type: 'tool_call', id, wireName: 'read', input: '{}' }],
})
const result = (id: string, text: string): Message => ({
  role: 'tool',
  results: [
    {
      id,
      wireName: 'read',
      outcome: 'success',
      result: { isError: false, content: [{ type: 'text', text }] },
    },
  ],
})
const conversation = [
  user('one'),
  call('c1'),
  result('c1', 'x'.repeat(50)),
  user('two'),
  call('c2'),
  result('c2', 'short'),
]

const idsOf = (messages: readonly Message[]) =>
  messages.map((message) => (message.role === 'tool' ? message.results[0]?.id : message.id))

describe('a change to what the model reads', () => {
  test('clears everything', () => {
    expect(applyChange(conversation, { type: 'cleared' })).toEqual([])
  })

  test('withdraws the last messages, at most all of them', () => {
    expect(idsOf(applyChange(conversation, { type: 'withdrawn', last: 3 }))).toEqual(['one', 'a-c1', 'c1'])
    expect(applyChange(conversation, { type: 'withdrawn', last: 99 })).toEqual([])
  })

  test('shortens a result, says how much was left out, and leaves the others alone', () => {
    const changed = applyChange(conversation, { type: 'shortened', results: [{ call: 'c1', chars: 10 }] })
    expect(changed[2]).toMatchObject({
      results: [
        {
          result: {
            content: [{ text: expect.stringMatching(/^x{10}\n\[40 of 50 characters.*Repeat the call/) }],
          },
        },
      ],
    })
    expect(changed.filter((message, index) => message !== conversation[index])).toHaveLength(1)
  })

  test('leaves out files, and does not cut a character in half', () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const
    const withFile: Message = {
      role: 'tool',
      results: [
        {
          id: 'c',
          wireName: 'x',
          outcome: 'error',
          result: { isError: true, content: [{ type: 'text', text: 'ab😀' }, image], structured: { a: 1 } },
        },
      ],
    }
    expect(applyChange([withFile], { type: 'shortened', results: [{ call: 'c', chars: 3 }] })).toMatchObject([
      {
        results: [
          { result: { isError: true, content: [{ type: 'text', text: expect.stringMatching(/^ab\n\[/) }] } },
        ],
      },
    ])
    expect(
      JSON.stringify(applyChange([withFile], { type: 'shortened', results: [{ call: 'c', chars: 999 }] })),
    ).not.toContain('aGk=')
  })

  test('puts a summary in the place of old messages, and keeps the prompt that is being answered', () => {
    const kept = applyChange(conversation, { type: 'compacted', summary: 'so far', kept: 3 })
    expect(idsOf(kept)).toEqual([expect.stringMatching(/^summary_/), 'two', 'a-c2', 'c2'])
    expect(JSON.stringify(kept[0])).toContain('so far')
    expect(
      idsOf(applyChange(conversation, { type: 'compacted', summary: 's', kept: 2, prompt: 3 })).slice(1),
    ).toEqual(['two', 'a-c2', 'c2'])
  })

  test('keeps what there is if a part of the history is lost', () => {
    expect(
      idsOf(applyChange([user('two')], { type: 'compacted', summary: 's', kept: 9, prompt: 12 })),
    ).toEqual([expect.any(String), 'two'])
  })
})

test('only a message of the person begins a turn', () => {
  const [summary] = applyChange([], { type: 'compacted', summary: 's', kept: 0 })
  expect([user('x'), toNote('1', 'n'), summary as Message, call('c')].map(isPrompt)).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(isSummary(summary as Message)).toBe(true)
})
