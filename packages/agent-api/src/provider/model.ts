import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Deferral } from './deferral.ts'
import type { ThoughtLevel } from './thought-level.ts'

export const vendors = ['anthropic', 'openai', 'google', 'openai-compatible', 'offline'] as const
/** The API by which a model is reached. It determines which tool schemas and kinds of content are sent. */
export type Vendor = (typeof vendors)[number]

/** An open model. The port is the AI SDK's `LanguageModelV4`: one stream format for every vendor. */
export interface Model {
  /** `provider/model` as a person writes it: `anthropic/claude-sonnet-4-5`, `ollama/qwen3`, `offline`. */
  readonly id: string
  readonly vendor: Vendor
  /** The vendor's name in messages: `Anthropic`. */
  readonly vendorName: string
  /** The variable or setting that provided the key, for the message if the key is rejected. Undefined without a key. */
  readonly keySource?: string
  /** Context window in tokens. A cautious guess for unknown models. */
  readonly contextSize: number
  /** Undefined if they are not known. */
  readonly prices?: Prices
  /** Maximum length of an answer in tokens, if the vendor reports it. */
  readonly outputTokensMax?: number
  /** False if the vendor says that the model only reads text. */
  readonly takesImages?: boolean
  /** The number of tools that the vendor accepts in one request. */
  readonly toolsMax: number
  /** Defaults to `result`. */
  readonly deferral?: Deferral
  /** The levels of thinking that the model has, from least to most. */
  readonly thoughtLevels: readonly ThoughtLevel[]
  readonly languageModel: LanguageModelV4
  /** Redacts secrets in texts of the vendor or the model that are not part of the conversation: failures, summaries, titles. */
  readonly redact: (text: string) => string
}

/** A provider in the agent file. Adds to the built-in ones or replaces one. */
export interface ProviderConfig {
  readonly type: Exclude<Vendor, 'offline'>
  readonly baseUrl?: string
  readonly apiKey?: string
  /**
   * Opens its models with other code, such as another package of the AI SDK, instead of `baseUrl` and `apiKey`. `type` then names the API
   * whose limits and schemas apply.
   */
  readonly open?: (model: string) => LanguageModelV4
  readonly headers?: Readonly<Record<string, string>>
  readonly contextSize?: number
  readonly prices?: Prices
  /** Settings of single models, by their names without the provider. They take precedence. */
  readonly models?: Readonly<Record<string, { readonly contextSize?: number; readonly prices?: Prices }>>
}

/** The prices of a million tokens. */
export interface Prices {
  /** ISO 4217. */
  readonly currency: string
  readonly input: number
  readonly output: number
  /** Input tokens that the vendor had in its cache, or added to it. Both default to the price of input. */
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** Everything that choosing and opening a model depends on. */
export interface ModelSettings {
  readonly providers: Readonly<Record<string, ProviderConfig>>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** An entry of the model menu. */
export interface ModelChoice {
  readonly id: string
  readonly name: string
  readonly description?: string
}
