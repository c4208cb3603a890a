import { expect, test } from 'vitest'
import {
  estimateRequest,
  measureTools,
  estimateText,
} from '../../../packages/agent-api/src/context/estimate-tokens.ts'
import { formatToolsForProvider } from '../../../packages/agent-api/src/provider/format-tools.ts'

test('tools are measured as their vendor reads them, however large their schemas are', async () => {
  const vast = {
    type: 'object',
    properties: { a: { enum: Array.from({ length: 100_000 }, (_, index) => `value ${index}`) } },
  }
  const tools = [{ name: 'vast', description: 'Does much', inputSchema: vast }]
  const measured = await measureTools(tools, 'openai')
  const { fixed } = estimateRequest({ systemPrompt: '', tools: measured }, [])
  const sent = JSON.stringify(formatToolsForProvider(tools, 'openai')).length
  expect(fixed).toBeGreaterThan(10)
  expect(fixed).toBeLessThan(sent)
  expect(fixed * 20).toBeLessThan(JSON.stringify(vast).length)
})

test('a definition that waits takes no tokens', async () => {
  const tool = { name: 'shop__buy', description: 'Buys it', inputSchema: { type: 'object' } }
  const waiting = { ...tool, deferral: 'deferred' as const }
  expect((await measureTools([tool, waiting], 'openai')).tokens).toBe(
    (await measureTools([tool], 'openai')).tokens,
  )
})

test('other scripts have more tokens than English', () => {
  expect(estimateText('a word in English')).toBeLessThan(6)
  expect(estimateText('一二三四五六七八九十')).toBe(9)
  expect(estimateText('')).toBe(0)
})
