import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Model } from './model.ts'

/** What every request to a vendor needs that no caller should have to know. */
export function callDefaults(model: Model): Pick<LanguageModelV4CallOptions, 'providerOptions'> {
  switch (model.vendor) {
    case 'anthropic':
      // Tool streaming left on, the vendor stops checking that arguments are JSON, and servers that only imitate it refuse the unknown field.
      // Pings tell a model that thinks in silence from one that has died.
      return { providerOptions: { anthropic: { toolStreaming: false, includePings: true } } }
    case 'openai':
      // Nothing is kept at the vendor: reasoning comes back encrypted and travels with the conversation.
      return { providerOptions: { openai: { store: false } } }
    case 'google':
      return thinks.test(model.id) ? { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } } : {}
    case 'openai-compatible':
    case 'offline':
      return {}
  }
}

/** Older models refuse the setting. */
const thinks = /\/gemini-(?:2\.5|[3-9]|\d{2})(?!.*(?:image|tts|computer-use))/
