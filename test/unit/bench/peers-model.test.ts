import { expect, test } from 'vitest'
import { chunkPrompt, toReply } from '../../bench/peers/scripted-model.ts'
import { callPrompt } from '../../bench/quick/servers.ts'
import { chunkTexts } from '../../bench/stream-chunks.ts'
import type { ModelPart, ModelRequest } from '../../support/loopback-model/index.ts'

type Message = ModelRequest['messages'][number]

const search = { name: 'find', args: { query: 'server0' } }
const own = { name: 'read_file', description: '', inputSchema: {} }
const served = { name: 'server0_tool', namespace: 'mcp', description: '', inputSchema: {} }
const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })
const said: Message = { role: 'assistant', parts: [{ type: 'text', text: 'hello' }] }
const called = (name: string): Message => ({
  role: 'assistant',
  parts: [{ type: 'tool_call', id: '1', name, args: {} }],
})
const result: ModelPart = { type: 'tool_result', id: '1', text: 'done' }
const returned: Message = { role: 'tool', parts: [result] }
const hello = { text: ['hello'] }

test.each<{ what: string; messages: Message[]; tools?: (typeof own)[]; reply: object }>([
  { what: 'a plain prompt', messages: [user('hello')], reply: hello },
  { what: 'the prompt for chunks', messages: [user(chunkPrompt)], reply: { text: chunkTexts } },
  { what: 'a title for it', messages: [user(chunkPrompt)], tools: [], reply: hello },
  { what: 'a prompt after the chunks', messages: [user(chunkPrompt), said, user('hello')], reply: hello },
  {
    what: 'the prompt for a call',
    messages: [user(callPrompt)],
    reply: { toolCalls: [{ id: 'call_1', name: 'server0_tool', namespace: 'mcp', args: {} }] },
  },
  {
    what: 'the same again',
    messages: [user(callPrompt), called('server0_tool'), returned, said, user(callPrompt)],
    reply: { toolCalls: [{ id: 'call_5', name: 'server0_tool', namespace: 'mcp', args: {} }] },
  },
  { what: 'its result', messages: [user(callPrompt), called('server0_tool'), returned], reply: hello },
  {
    what: 'a tool that is not offered yet',
    messages: [user(callPrompt)],
    tools: [own],
    reply: { toolCalls: [{ ...search, id: 'call_1' }] },
  },
  {
    what: 'a tool that was found',
    messages: [user(callPrompt), called('find'), returned],
    reply: { toolCalls: [{ id: 'call_3', name: 'server0_tool', namespace: 'mcp', args: {} }] },
  },
  {
    what: 'a tool that was not found',
    messages: [user(callPrompt), called('find'), returned],
    tools: [own],
    reply: hello,
  },
])('$what', ({ messages, tools = [own, served], reply }) => {
  expect(toReply({ messages, tools }, search)).toEqual(reply)
})

test('an agent without a search gets an answer if its tool is not offered', () => {
  expect(toReply({ messages: [user(callPrompt)], tools: [own] })).toEqual(hello)
})
