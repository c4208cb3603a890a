import { describe, expect, test } from 'vitest'
import type { AssistantMessage, Message, ToolMessage } from '../../packages/agent-api/src/messages/message.ts'
import type { ToolResult } from '../../packages/agent-api/src/messages/tool.ts'
import { createReplyDraft } from '../../packages/agent-api/src/turn/reply-draft.ts'
import { startLoopbackModel, type LoopbackModel, type Reply } from '../support/loopback-model/index.ts'
import { collect, userSays } from './ask.ts'

const image = { type: 'image' as const, data: 'iVBORw0KGgo=', mimeType: 'image/png' }

const reply: Reply = {
  thoughts: { text: 'I should add.', signature: 'c2lnbmF0dXJl' },
  text: 'Adding.',
  toolCalls: [{ name: 'calc__add', args: { a: 1 }, signature: 'Y2FsbA==' }],
}

/** Runs a step, stores its result as a turn would, and runs a second step. */
async function twoSteps(server: LoopbackModel, result: ToolResult): Promise<void> {
  const messages: Message[] = [userSays('Add')]
  const draft = createReplyDraft()
  for (const part of await collect(server, { messages })) draft.add(part)
  const message = draft.message({ withCalls: true })
  messages.push(message, resultsOf(message, result))
  await collect(server, { messages })
}

function resultsOf(message: AssistantMessage, result: ToolResult): ToolMessage {
  return {
    role: 'tool',
    results: message.parts.flatMap((part) =>
      part.type === 'tool_call'
        ? [{ id: part.id, wireName: part.wireName, outcome: 'success' as const, result }]
        : [],
    ),
  }
}

describe('a step, its tool result, and the next step', () => {
  test.each(['anthropic', 'openai', 'openai-responses', 'google', 'ollama'] as const)(
    '%s reads all of it',
    async (vendor) => {
      await using server = await startLoopbackModel({ vendor, script: [reply, { text: 'It is 1.' }] })
      await twoSteps(server, { isError: false, content: [{ type: 'text', text: '1' }] })
      const [user, assistant, tool] = server.requests[1]?.messages ?? []
      expect(user?.role).toBe('user')
      expect(assistant?.parts).toContainEqual({ type: 'text', text: 'Adding.' })
      const call = assistant?.parts.find((part) => part.type === 'tool_call')
      expect(call).toMatchObject({ name: 'calc__add', args: { a: 1 } })
      expect(tool).toMatchObject({ role: 'tool', parts: [{ type: 'tool_result', id: call?.id, text: '1' }] })
      expect(server.requests[1]?.messages).toHaveLength(3)
    },
  )

  test('openai stores nothing at the vendor', async () => {
    await using server = await startLoopbackModel({
      vendor: 'openai-responses',
      script: [reply, { text: 'It is 1.' }],
    })
    await twoSteps(server, { isError: false, content: [{ type: 'text', text: '1' }] })
    expect(server.requests[1]?.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain('item_reference')
  })

  test('anthropic caches the system prompt, all up to the last message, and all up to the request before', async () => {
    await using server = await startLoopbackModel({
      vendor: 'anthropic',
      script: [reply, { text: 'It is 1.' }],
    })
    await twoSteps(server, { isError: false, content: [{ type: 'text', text: '1' }] })
    const cached = { cache_control: { type: 'ephemeral' } }
    expect(server.requests[1]?.body).toMatchObject({
      system: [cached],
      messages: [{ content: [cached] }, {}, { role: 'user', content: [{ type: 'tool_result', ...cached }] }],
    })
    expect(JSON.stringify(server.requests[1]?.body).match(/cache_control/g)).toHaveLength(3)
  })
})

describe('an image that a tool returned', () => {
  const result: ToolResult = { isError: false, content: [{ type: 'text', text: 'The chart' }, image] }

  test.each(['anthropic', 'openai-responses'] as const)('%s sees it in the result', async (vendor) => {
    await using server = await startLoopbackModel({ vendor, script: [reply, { text: 'Nice.' }] })
    await twoSteps(server, result)
    expect(server.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      parts: [{ text: 'The chart', files: [{ mediaType: 'image/png', data: image.data }] }],
    })
  })

  test.each(['openai', 'google', 'ollama'] as const)('%s sees it right after the result', async (vendor) => {
    await using server = await startLoopbackModel({ vendor, script: [reply, { text: 'Nice.' }] })
    await twoSteps(server, result)
    const [tool, user] = server.requests[1]?.messages.slice(-2) ?? []
    expect(tool).toMatchObject({
      role: 'tool',
      parts: [{ text: 'The chart\n[image/png, 1 kB: shown in the next message]' }],
    })
    expect(user).toEqual({
      role: 'user',
      parts: [
        { type: 'text', text: 'From calc__add:' },
        { type: 'file', mediaType: 'image/png', data: image.data },
      ],
    })
  })
})
