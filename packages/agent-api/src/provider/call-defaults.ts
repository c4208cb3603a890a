import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Model } from './model.ts'

/** Options that every request to a vendor needs. */
export function callDefaults(model: Model): Pick<LanguageModelV4CallOptions, 'providerOptions'> {
  switch (model.vendor) {
    case 'anthropic':
      // With tool streaming, the vendor does not check that arguments are JSON. Imitations of its API reject the unknown field. Pings show
      // that a silent model is still thinking.
      return { providerOptions: { anthropic: { toolStreaming: false, includePings: true } } }
    case 'openai':
      // Store nothing at the vendor: encrypted reasoning is part of the conversation instead.
      return { providerOptions: { openai: { store: false } } }
    case 'google':
      return thinks.test(model.id) ? { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } } : {}
    case 'openai-compatible':
    case 'offline':
      return {}
  }
}

/** Older models reject the setting. */
const thinks = /\/gemini-(?:2\.5|[3-9]|\d{2})(?!.*(?:image|tts|computer-use))/
