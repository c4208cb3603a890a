import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Model } from './model.ts'
import { fitThoughtLevel, type ThoughtChoice, type ThoughtLevel } from './thought-level.ts'

type Defaults = Pick<LanguageModelV4CallOptions, 'providerOptions' | 'reasoning'>

interface CallSettings {
  readonly hasSummaries?: boolean
  /** Requests with the same key begin alike, so OpenAI sends them to the same machine. */
  readonly cacheKey?: string | undefined
}

/** Options that every request to a vendor needs. The vendor's package turns `reasoning` into an effort, a level or a budget. */
export function callDefaults(
  model: Model,
  choice: ThoughtChoice = 'default',
  { hasSummaries = true, cacheKey }: CallSettings = {},
): Defaults {
  const level = fitThoughtLevel(choice, model.thoughtLevels)
  const reasoning = level === undefined ? {} : { reasoning: level === 'off' ? ('none' as const) : level }
  const isShown = model.thoughtLevels.length > 0 && level !== 'off'
  switch (model.vendor) {
    case 'anthropic':
      return { ...reasoning, providerOptions: { anthropic: anthropicOptions(model, level) } }
    case 'openai':
      // Store nothing at the vendor: encrypted reasoning is part of the conversation instead.
      return {
        ...reasoning,
        providerOptions: {
          openai: {
            store: false,
            ...(cacheKey && { promptCacheKey: cacheKey }),
            ...(isShown && { reasoningSummary: hasSummaries ? 'auto' : null }),
          },
        },
      }
    case 'google':
      return {
        ...reasoning,
        ...(isShown && { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }),
      }
    case 'openai-compatible':
      return reasoning
    case 'offline':
      return {}
  }
}

/** These models decide themselves how much to think, if they are asked to. The others need a budget. */
const adaptive = /claude-(?:(?:opus|sonnet)-4-[6-9]|[a-z]+-(?:[5-9]|\d{2})(?:-|$))/

function anthropicOptions({ id, thoughtLevels }: Model, level: ThoughtLevel | undefined) {
  const thinks = level === undefined && thoughtLevels.length > 0 && adaptive.test(id)
  // With tool streaming, the vendor does not check that arguments are JSON. Imitations of its API reject the unknown field. Pings show
  // that a silent model is still thinking.
  return {
    toolStreaming: false,
    includePings: true,
    ...(thinks && { thinking: { type: 'adaptive', display: 'summarized' } }),
  }
}
