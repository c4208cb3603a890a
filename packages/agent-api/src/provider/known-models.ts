import type { ProviderConfig } from './model.ts'

interface KnownModel {
  readonly model: string
  readonly name: string
}

/**
 * Models for the menu. The first of each list is the default: good with tools, and not the most expensive. Any other model can be named
 * explicitly.
 */
const byType: Readonly<Record<Exclude<ProviderConfig['type'], 'openai-compatible'>, readonly KnownModel[]>> =
  {
    anthropic: [
      { model: 'claude-sonnet-5-5', name: 'Claude Sonnet 5.5' },
      { model: 'claude-opus-5-5', name: 'Claude Opus 5.5' },
      { model: 'claude-haiku-5-5', name: 'Claude Haiku 5.5' },
      { model: 'claude-sonnet-4-5', name: 'Claude Sonnet 4.5' },
    ],
    openai: [
      { model: 'gpt-6.1-sol', name: 'GPT-6.1 Sol' },
      { model: 'gpt-6-astra', name: 'GPT-6 Astra' },
      { model: 'gpt-6.1-terra', name: 'GPT-6.1 Terra' },
      { model: 'gpt-6-luna', name: 'GPT-6 Luna' },
    ],
    google: [
      { model: 'gemini-4-argon', name: 'Gemini 4 Argon' },
      { model: 'gemini-3.8-flash', name: 'Gemini 3.8 Flash' },
      { model: 'gemini-3.5-flash-lite', name: 'Gemini 3.5 Flash-Lite' },
    ],
  }

const ofOpenRouter: readonly KnownModel[] = [
  { model: 'openrouter/auto', name: 'Auto (OpenRouter chooses)' },
  { model: 'anthropic/claude-sonnet-5.5', name: 'Claude Sonnet 5.5' },
  { model: 'openai/gpt-6.1-sol', name: 'GPT-6.1 Sol' },
]

/** Empty for servers that merely speak OpenAI's protocol. */
export function knownModels(provider: string, type: ProviderConfig['type']): readonly KnownModel[] {
  if (type !== 'openai-compatible') return byType[type]
  return provider === 'openrouter' ? ofOpenRouter : []
}
