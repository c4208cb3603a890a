import { expect, test } from 'vitest'
import { deferralOf, type Deferral } from '../../../packages/agent-api/src/provider/deferral.ts'
import type { Vendor } from '../../../packages/agent-api/src/provider/model.ts'

const remote = { name: 'mine', baseUrl: 'https://example.com/v1' }
const local = { name: 'mine', baseUrl: 'http://127.0.0.1:4000/v1' }
const ollama = { name: 'ollama', baseUrl: 'http://192.168.0.2:11434/v1' }
const open = { ...remote, baseUrl: '', open: () => Promise.reject(new Error()) as never }

test.each<[Deferral, Vendor, string, number, Parameters<typeof deferralOf>[3]]>([
  ['vendor', 'anthropic', 'claude-sonnet-4-5', 200_000, remote],
  ['vendor', 'anthropic', 'claude-opus-4-8', 200_000, remote],
  ['vendor', 'anthropic', 'claude-fable-5', 200_000, remote],
  ['vendor', 'anthropic', 'claude-haiku-5-5-20260901', 200_000, remote],
  ['result', 'anthropic', 'claude-opus-4-1', 200_000, remote],
  ['result', 'anthropic', 'claude-sonnet-4-20250514', 200_000, remote],
  ['result', 'anthropic', 'claude-3-5-sonnet-latest', 200_000, remote],
  ['result', 'anthropic', 'other', 200_000, remote],
  ['result', 'anthropic', 'claude-sonnet-4-5', 200_000, open],
  ['vendor', 'openai', 'gpt-5.4', 400_000, remote],
  ['vendor', 'openai', 'gpt-6.1-sol', 400_000, remote],
  ['result', 'openai', 'gpt-5.3', 400_000, remote],
  ['result', 'openai', 'gpt-5', 400_000, remote],
  ['result', 'openai', 'gpt-4.1', 400_000, remote],
  ['result', 'openai-compatible', 'gpt-5.4', 400_000, remote],
  ['result', 'google', 'gemini-3-pro', 32_768, remote],
  ['list', 'openai-compatible', 'qwen3', 32_768, ollama],
  ['list', 'openai-compatible', 'qwen3', 65_536, ollama],
  ['result', 'openai-compatible', 'gpt-oss', 131_072, ollama],
  ['list', 'openai-compatible', 'qwen3', 32_768, local],
  ['result', 'openai-compatible', 'qwen3', 32_768, remote],
  ['result', 'openai-compatible', 'gpt-4.1', 8_192, { ...local, name: 'openai' }],
  ['result', 'anthropic', 'qwen3', 32_768, local],
  ['result', 'openai-compatible', 'qwen3', 32_768, open],
])('%s: %s %s with a window of %i', (expected, vendor, model, contextSize, access) => {
  expect(deferralOf(vendor, model, contextSize, access)).toBe(expected)
})
