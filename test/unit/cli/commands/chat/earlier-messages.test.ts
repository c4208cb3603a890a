import type { SessionUpdate } from '@ostler/acp-server'
import { describe, expect, test } from 'vitest'
import {
  addEarlier,
  noEarlierMessages,
  setsState,
  toEarlierRows,
} from '../../../../../packages/cli/src/commands/chat/earlier-messages.ts'
import { plain } from '../../../../../packages/cli/src/terminal/style.ts'

const page = { columns: 60, style: plain }

const prompt = (turn: number, text: string): SessionUpdate =>
  chunk('user_message_chunk', `prompt_${turn}`, text)
const answer = (id: string, text: string): SessionUpdate => chunk('agent_message_chunk', id, text)
const call = (id: string, title: string): SessionUpdate => ({
  sessionUpdate: 'tool_call',
  toolCallId: id,
  title,
})
const end = (id: string, status: 'completed' | 'failed'): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: id,
  status,
})

function chunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk',
  messageId: string,
  text: string,
): SessionUpdate {
  return { sessionUpdate, messageId, content: { type: 'text', text } }
}

function rowsOf(...updates: readonly SessionUpdate[]): readonly string[] {
  return toEarlierRows(updates.reduce(addEarlier, noEarlierMessages), page)
}

describe('the earlier messages of a conversation', () => {
  test('are its prompts, answers and calls in their order, each chunk joined to its message', () => {
    expect(
      rowsOf(
        prompt(1, 'Feed Juno'),
        answer('a', 'I will '),
        answer('a', 'look.'),
        call('c', 'ls'),
        end('c', 'completed'),
        call('d', 'rm hay'),
        end('d', 'failed'),
        answer('b', 'Done.'),
        prompt(2, 'Thanks'),
      ),
    ).toEqual(['> Feed Juno', '', 'I will look.', '', '✓ ls', '✗ rm hay', 'Done.', '', '> Thanks', ''])
  })

  test('two prompts in a row stay two', () => {
    expect(rowsOf(prompt(1, 'one'), prompt(2, 'two'))).toEqual(['> one', '', '> two', ''])
  })

  test('a long message shows its beginning, and says how much is left', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `- ${index}`).join('\n')
    const rows = rowsOf(answer('a', lines))
    expect(rows.slice(0, 2)).toEqual(['- 0', '- 1'])
    expect(rows.slice(-2)).toEqual(['… 22 more rows', ''])
  })

  test('in a long conversation, the last ones are shown', () => {
    const rows = rowsOf(...Array.from({ length: 100 }, (_, turn) => prompt(turn, `prompt ${turn}`)))
    expect(rows.slice(0, 3)).toEqual(['… 90 earlier messages and calls', '', '> prompt 90'])
    expect(rows).toHaveLength(22)
  })

  test('a huge message is not kept', () => {
    const updates = Array.from({ length: 1_000 }, () => answer('a', 'x'.repeat(1_000)))
    const { items } = updates.reduce(addEarlier, noEarlierMessages)
    expect(JSON.stringify(items).length).toBeLessThan(5_000)
  })

  test('control characters and hidden text are taken out', () => {
    expect(rowsOf(prompt(1, 'a\u001b[2J\u202eb'), call('c', 'x\u0007\ny')).join('|')).toBe('> ab||✗ x y')
  })

  test('updates about the session itself are not part of them', () => {
    expect(setsState({ sessionUpdate: 'usage_update', used: 1, size: 2 })).toBe(true)
    expect(setsState(answer('a', 'hello'))).toBe(false)
  })
})
