import { expect, test } from 'vitest'
import { parseListedModel } from '../../../../packages/agent-api/src/provider/catalog/listed-model.ts'
import {
  parseCompatibleList,
  parseOllamaShow,
  parseOllamaTags,
} from '../../../../packages/agent-api/src/provider/catalog/parse-model-list.ts'

const pricesOf = (pricing: unknown) => parseCompatibleList({ data: [{ id: 'a/b', pricing }] })[0]?.prices

test.each([
  [
    'all prices',
    {
      prompt: '0.000003',
      completion: '0.000015',
      input_cache_read: '0.0000003',
      input_cache_write: '0.00000375',
    },
    { currency: 'USD', input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  ],
  ['a free model', { prompt: '0', completion: '0' }, { currency: 'USD', input: 0, output: 0 }],
  ['a price that varies', { prompt: '-1', completion: '-1' }, undefined],
  ['one price only', { prompt: '0.1' }, undefined],
  ['nonsense', { prompt: {}, completion: 'much' }, undefined],
  ['no prices', undefined, undefined],
])('the prices of OpenRouter: %s', (_, pricing, prices) => {
  expect(pricesOf(pricing)).toEqual(prices)
})

test('stored prices are read again as they were', () => {
  const [model] = parseCompatibleList({
    data: [{ id: 'a/b', pricing: { prompt: '0.000001', completion: '0.000002' } }],
  })
  expect(parseListedModel(JSON.parse(JSON.stringify(model)))).toEqual(model)
})

const windows = [
  { top_provider: { context_length: 1_000 } },
  { context_length: 2_000 },
  { max_model_len: 3_000 },
  { context_window: 4_000 },
  { meta: { n_ctx: 5_000, n_ctx_train: 6_000 } },
  { meta: { n_ctx_train: 6_000 } },
]

test.each(windows.map((field, index) => [field, index] as const))(
  'the window in %j precedes those in the fields below',
  (_, index) => {
    const [model] = parseCompatibleList({
      data: [Object.assign({ id: 'a' }, ...windows.slice(index).toReversed())],
    })
    expect(model?.contextSize).toBe((index + 1) * 1_000)
  },
)

test.each([
  [{ top_provider: { max_completion_tokens: 10 }, max_completion_tokens: 20 }, 10],
  [{ max_completion_tokens: 20 }, 20],
])('the longest answer in %j', (fields, tokens) => {
  expect(parseCompatibleList({ data: [{ id: 'a', ...fields }] })).toMatchObject([{ outputTokensMax: tokens }])
})

test('the age of an Ollama model', () => {
  const models = [
    { name: 'a:latest', modified_at: '2026-01-01T00:00:00Z' },
    { name: 'b:1', modified_at: 'long ago' },
  ]
  expect(parseOllamaTags({ models })).toEqual([{ id: 'a', createdAt: 1_767_225_600 }, { id: 'b:1' }])
})

test.each([
  [['completion', 'tools'], true],
  [['completion'], false],
  [['tools'], false],
  [undefined, undefined],
])('an Ollama model with the abilities %j is for conversations with tools: %s', (capabilities, isForChat) => {
  expect(parseOllamaShow({ capabilities }).isForChat).toBe(isForChat)
})
