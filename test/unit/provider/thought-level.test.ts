import { describe, expect, test } from 'vitest'
import type { Vendor } from '../../../packages/agent-api/src/provider/model.ts'
import {
  fitThoughtLevel,
  thoughtLevelsOf,
  type ThoughtChoice,
} from '../../../packages/agent-api/src/provider/thought-level.ts'

const all = ['off', 'low', 'medium', 'high']
const always = ['low', 'medium', 'high']

describe('thoughtLevelsOf', () => {
  test.each<[Vendor, string, readonly string[], boolean?]>([
    ['anthropic', 'claude-3-5-sonnet-latest', []],
    ['anthropic', 'claude-3-7-sonnet-latest', all],
    ['anthropic', 'claude-sonnet-4-5-20250929', all],
    ['anthropic', 'claude-opus-4-8', all],
    ['anthropic', 'claude-sonnet-5-5', always],
    ['anthropic', 'claude-haiku-5-5', all],
    ['anthropic', 'claude-opus-5-5', always],
    ['anthropic', 'claude-opus-4-8', [], false],
    ['anthropic', 'kimi-k3', []],
    ['openai', 'gpt-4.1', []],
    ['openai', 'o3-mini', always],
    ['openai', 'gpt-5', always],
    ['openai', 'gpt-5.4', all],
    ['openai', 'gpt-5.2-codex', always],
    ['openai', 'gpt-5-pro', []],
    ['openai', 'gpt-5-chat-latest', []],
    ['openai', 'gpt-6.1-sol', always],
    ['google', 'gemini-2.0-flash', []],
    ['google', 'gemini-2.5-pro', always],
    ['google', 'gemini-2.5-flash', all],
    ['google', 'gemini-2.5-flash-image', []],
    ['google', 'gemini-3-pro-preview', ['low', 'high']],
    ['google', 'gemini-4-argon', always],
    ['openai-compatible', 'qwen3', []],
    ['openai-compatible', 'qwen3', all, true],
    ['openai-compatible', 'openai/gpt-oss-120b', always],
    ['openai-compatible', 'gpt-oss:20b', always],
    ['offline', 'offline', []],
  ])('%s %s: %j', (vendor, model, levels, thinks) => {
    expect(thoughtLevelsOf(vendor, model, thinks)).toEqual(levels)
  })
})

describe('fitThoughtLevel', () => {
  test.each<[ThoughtChoice, readonly string[], string | undefined]>([
    ['default', all, undefined],
    ['medium', all, 'medium'],
    ['off', always, 'low'],
    ['medium', ['low', 'high'], 'low'],
    ['high', [], undefined],
  ])('%s of %j is %s', (choice, levels, sent) => {
    expect(fitThoughtLevel(choice, levels as never)).toBe(sent)
  })
})
