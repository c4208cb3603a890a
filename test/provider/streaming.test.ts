import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { startLoopbackModel } from '../support/loopback-model/index.ts'
import { ask, collect, systemPrompt, textOf } from './ask.ts'

const vendors = ['anthropic', 'openai', 'openai-responses', 'google', 'ollama'] as const

describe.each(vendors)('%s', (vendor) => {
  test('streams thoughts and text as they arrive', async () => {
    const { promise: until, resolve: goOn } = Promise.withResolvers<void>()
    const text = ['Grüße', ' an ', '🐎🐎', '世界']
    await using server = await startLoopbackModel({
      vendor,
      script: [{ thoughts: 'Let me see.', text, pause: { after: 'text', until } }],
    })
    const parts: LanguageModelV4StreamPart[] = []
    for await (const part of ask(server)) {
      parts.push(part)
      if (part.type === 'text-delta') goOn()
    }
    expect(textOf(parts, 'reasoning-delta')).toBe('Let me see.')
    expect(parts.find((part) => part.type === 'text-delta')?.delta).toBe('Grüße')
    expect(textOf(parts)).toBe(text.join(''))
  })

  test('sends the conversation and the tools in its own format', async () => {
    await using server = await startLoopbackModel({ vendor, script: [{ text: 'Hello' }] })
    const inputSchema = {
      type: 'object',
      properties: { a: { type: 'number', description: 'First' } },
      required: ['a'],
    }
    await collect(server, { tools: [{ name: 'calc__add', description: 'Adds', inputSchema }] })
    expect(server.requests[0]).toMatchObject({
      model: server.modelId.slice(server.modelId.indexOf('/') + 1),
      system: systemPrompt,
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      tools: [{ name: 'calc__add', description: 'Adds', inputSchema }],
    })
  })

  test('reports tool calls and usage', async () => {
    const toolCalls = [
      { name: 'calc__add', args: { a: 1, b: [2, { c: 'ü' }] } },
      { name: 'calc__now', args: {} },
    ]
    await using server = await startLoopbackModel({
      vendor,
      script: [{ text: 'Adding.', toolCalls, usage: { inputTokens: 120, outputTokens: 34 } }],
    })
    const parts = await collect(server)
    const calls = parts.filter((part) => part.type === 'tool-call')
    expect(calls.map((part) => [part.toolName, JSON.parse(part.input)])).toEqual([
      ['calc__add', { a: 1, b: [2, { c: 'ü' }] }],
      ['calc__now', {}],
    ])
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      finishReason: { unified: 'tool-calls' },
      usage: { inputTokens: { total: 120 }, outputTokens: { total: 34 } },
    })
  })

  test('two calls of one tool that arrive together stay two calls', async () => {
    const toolCalls = ['first', 'second'].map((text) => ({
      name: 'notes__add',
      args: { content: text, text },
    }))
    await using server = await startLoopbackModel({ vendor, script: [{ toolCalls }] })
    const calls = (await collect(server)).filter((part) => part.type === 'tool-call')
    expect(calls.map((part) => JSON.parse(part.input) as unknown)).toEqual(toolCalls.map(({ args }) => args))
  })

  test.each([
    ['max_tokens', 'length'],
    ['refusal', 'content-filter'],
    ['end', 'stop'],
  ] as const)('stops for %s', async (stop, unified) => {
    await using server = await startLoopbackModel({ vendor, script: [{ text: 'So', stop }] })
    expect((await collect(server)).at(-1)).toMatchObject({ type: 'finish', finishReason: { unified } })
  })

  const chunks = vendor === 'anthropic' ? 5_000 : 1_000
  test(`takes ${chunks} chunks without losing one, in few parts`, async () => {
    const text = Array.from({ length: chunks }, (_, index) => `${index} `)
    await using server = await startLoopbackModel({ vendor, script: [{ text }] })
    const parts = await collect(server)
    expect(textOf(parts)).toBe(text.join(''))
    // Chunks of one read are one part, and a read has hundreds of them.
    expect(parts.length).toBeLessThan(chunks / 10)
  })
})
