import type { LanguageModelV4 } from '@ai-sdk/provider'

export const vendors = ['anthropic', 'openai', 'google', 'openai-compatible', 'offline'] as const
export type Vendor = (typeof vendors)[number]

/** A model that is ready to be asked. The port is the AI SDK's `LanguageModelV4` as it is: one stream shape for every vendor. */
export interface Model {
  /** `provider/model`, as a person writes it: `anthropic/claude-sonnet-4-5`, `ollama/qwen3`, `offline`. */
  readonly id: string
  readonly vendor: Vendor
  /** How messages name the vendor: `Anthropic`. */
  readonly vendorName: string
  /** The variable or setting its key comes from, for the message when the key is refused. Unset where there is no key. */
  readonly keySource?: string
  /** Tokens the model can read at once; a cautious guess where it is not known. */
  readonly contextSize: number
  readonly languageModel: LanguageModelV4
}

/** A provider of the agent file, on top of the built-in ones or in place of one. */
export interface ProviderConfig {
  readonly type: Exclude<Vendor, 'offline'>
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** All that choosing and opening a model depends on. */
export interface ModelSettings {
  readonly providers: Readonly<Record<string, ProviderConfig>>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** One entry of the model menu. */
export interface ModelChoice {
  readonly id: string
  readonly name: string
  readonly description?: string
}
