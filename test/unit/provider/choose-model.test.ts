import { describe, expect, test } from 'vitest'
import { availableModels, chooseModel } from '../../../packages/agent-api/src/provider/choose-model.ts'
import type { ModelSettings, ProviderConfig } from '../../../packages/agent-api/src/provider/model.ts'
import { openModel } from '../../../packages/agent-api/src/provider/open-model.ts'

function settings(
  env: Record<string, string> = {},
  providers: Record<string, ProviderConfig> = {},
): ModelSettings {
  return { env, providers }
}

describe('the chosen model', () => {
  test.each<[string, string | undefined, ModelSettings, RegExp]>([
    [
      'is the one asked for',
      'openai/gpt-6-luna',
      settings({ OSTLER_MODEL: 'offline', ANTHROPIC_API_KEY: 'k' }),
      /^openai\/gpt-6-luna$/,
    ],
    ['even if it cannot be opened', 'nobody/nothing', settings(), /^nobody\/nothing$/],
    [
      'else OSTLER_MODEL',
      undefined,
      settings({ OSTLER_MODEL: 'ollama/qwen3', ANTHROPIC_API_KEY: 'k' }),
      /^ollama\/qwen3$/,
    ],
    ['blank is not asked for', ' ', settings({ OSTLER_MODEL: ' ' }), /^offline$/],
    [
      'else Anthropic, with a key',
      undefined,
      settings({ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }),
      /^anthropic\/claude-sonnet/,
    ],
    ['or a token', undefined, settings({ ANTHROPIC_AUTH_TOKEN: 'k' }), /^anthropic\/claude-sonnet/],
    ['else OpenAI', undefined, settings({ OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' }), /^openai\/gpt/],
    ['else Google', undefined, settings({ GOOGLE_API_KEY: 'k' }), /^google\/gemini/],
    ['else OpenRouter', undefined, settings({ OPENROUTER_API_KEY: 'k' }), /^openrouter\/openrouter\/auto$/],
    [
      'else a configured provider',
      undefined,
      settings({}, { work: { type: 'anthropic', apiKey: 'k' } }),
      /^work\/claude/,
    ],
    ['else offline', undefined, settings({ ANTHROPIC_API_KEY: '' }), /^offline$/],
  ])('%s', (_, requested, given, expected) => {
    expect(chooseModel(requested, given)).toMatch(expected)
  })
})

describe('the menu', () => {
  test('always contains the offline model, and nothing that might not exist', () => {
    expect(availableModels(settings()).map(({ id }) => id)).toEqual(['offline'])
    expect(
      availableModels(settings({}, { lab: { type: 'openai-compatible', baseUrl: 'http://lab:8000' } })).map(
        ({ id }) => id,
      ),
    ).toEqual(['offline'])
  })

  test('every entry can be opened', async () => {
    const given = settings(
      { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k', OPENROUTER_API_KEY: 'k' },
      { work: { type: 'google', apiKey: 'k' } },
    )
    const choices = availableModels(given)
    expect(choices.length).toBeGreaterThan(12)
    for (const { id } of choices)
      expect(await openModel(id, given, { redact: (text) => text })).toMatchObject({
        id,
        languageModel: { specificationVersion: 'v4' },
      })
    expect(new Set(choices.map(({ id }) => id)).size).toBe(choices.length)
  })
})
