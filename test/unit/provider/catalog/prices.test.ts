import { expect, test } from 'vitest'
import { parseListedModel } from '../../../../packages/agent-api/src/provider/catalog/listed-model.ts'
import { parseCompatibleList } from '../../../../packages/agent-api/src/provider/catalog/parse-model-list.ts'

const pricesOf = (pricing: unknown) => parseCompatibleList({ data: [{ id: 'a/b', pricing }] })[0]?.prices

test.each([
  [
    'all prices',
    { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003', input_cache_write: '0.00000375' },
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
  const [model] = parseCompatibleList({ data: [{ id: 'a/b', pricing: { prompt: '0.000001', completion: '0.000002' } }] })
  expect(parseListedModel(JSON.parse(JSON.stringify(model)))).toEqual(model)
})
