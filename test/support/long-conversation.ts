import type { Message } from '../../packages/agent-api/src/messages/message.ts'

/** A conversation of this many turns, each of four messages. The result of each call is long enough to be shortened. */
export function longConversation(turns: number, resultChars = 1_200): readonly Message[] {
  const content = [{ type: 'text', text: 'word '.repeat(resultChars / 5) }] as const
  return Array.from({ length: turns }, (_, index): Message[] => [
    { role: 'user', id: `u${index}`, content: [{ type: 'text', text: `question ${index}` }] },
    {
      role: 'assistant',
      id: `c${index}`,
      parts: [{ type: 'tool_call', id: `call_${index}`, wireName: 'read', input: '{}' }],
    },
    {
      role: 'tool',
      results: [
        { id: `call_${index}`, wireName: 'read', outcome: 'success', result: { isError: false, content } },
      ],
    },
    { role: 'assistant', id: `a${index}`, parts: [{ type: 'text', text: `answer ${index}` }] },
  ]).flat()
}
