import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { withoutWaiting, withVendorSearch } from '../../../packages/agent-api/src/provider/deferral.ts'
import type { Model } from '../../../packages/agent-api/src/provider/model.ts'
import { streamOnce } from '../../../packages/agent-api/src/provider/stream-once.ts'
import type { ModelCall } from '../../../packages/agent-api/src/provider/stream-model.ts'

const search = (id: string) =>
  ({ type: 'tool-call', toolCallId: id, toolName: 'search', input: {}, providerExecuted: true }) as const
const found = (id: string, ...names: string[]) =>
  ({
    type: 'tool-result',
    toolCallId: id,
    toolName: 'search',
    output: { type: 'json', value: names.map((toolName) => ({ type: 'tool_reference', toolName })) },
  }) as const
const text = { type: 'text', text: 'hello' } as const
const tool = (name: string) => ({ type: 'function', name, inputSchema: { type: 'object' } }) as const

const call: ModelCall = {
  prompt: [
    { role: 'user', content: [text] },
    { role: 'assistant', content: [text, search('1'), found('1', 'known', 'gone'), search('cut')] },
    { role: 'assistant', content: [search('2')] },
  ],
  tools: [tool('find_tools'), tool('use_tool'), tool('read'), tool('known')],
  waiting: new Map([
    ['find_tools', { deferral: 'find' }],
    ['use_tool', { deferral: 'call' }],
    ['known', { deferral: 'deferred', server: 'my shop' }],
  ]),
}

const contents = ({ prompt }: LanguageModelV4CallOptions) => prompt.slice(1).map(({ content }) => content)

test('a vendor that searches gets its own searches back, without those that were cut off and tools that are gone', () => {
  const sent = withVendorSearch('anthropic', call)
  expect(contents(sent)).toEqual([[text, search('1'), found('1', 'known')]])
  expect(sent.tools).toEqual([
    { type: 'provider', id: 'anthropic.tool_search_bm25_20251119', name: 'tool_search_tool_bm25', args: {} },
    tool('read'),
    { ...tool('known'), providerOptions: { anthropic: { deferLoading: true } } },
  ])
  expect(sent).not.toHaveProperty('waiting')
})

test('for OpenAI, the tools of a server are a namespace', () => {
  const { tools } = withVendorSearch('openai', call)
  const namespace = { name: 'my_shop', description: 'Tools of the MCP server my_shop' }
  expect(tools?.at(-1)).toEqual({
    ...tool('known'),
    providerOptions: { openai: { deferLoading: true, namespace } },
  })
})

test('all others get no searches, and no definitions that wait', () => {
  const sent = withoutWaiting(call)
  expect(contents(sent)).toEqual([[text]])
  expect(sent.tools).toEqual([tool('find_tools'), tool('use_tool'), tool('read')])
})

test('text after a search of the vendor is not held back until the answer is complete', async () => {
  const parts = [
    { type: 'tool-call', toolCallId: '1', toolName: 'search', input: '{}', providerExecuted: true },
    { type: 'text-delta', id: '1', delta: 'shown' },
  ] satisfies LanguageModelV4StreamPart[]
  const stream = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
  const languageModel = { doStream: () => Promise.resolve({ stream }) }
  const model = { vendorName: 'Test', languageModel } as unknown as Model
  const options = { signal: new AbortController().signal, idleMs: 60_000 }
  const shown: string[] = []
  const read = async () => {
    for await (const { type } of streamOnce(model, { prompt: [] }, options)) shown.push(type)
  }
  await expect(read()).rejects.toThrow('was lost during the answer')
  expect(shown).toEqual(['tool-call', 'text-delta'])
})
