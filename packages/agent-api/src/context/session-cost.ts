import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Cost } from '../messages/turn-event.ts'
import type { Prices } from '../provider/model.ts'

const tokensPerPrice = 1_000_000

/** Amounts in another currency cannot be added: counting then starts again. */
export function addCost(
  cost: Cost | undefined,
  usage: LanguageModelV4Usage,
  prices: Prices | undefined,
): Cost | undefined {
  if (prices === undefined) return cost
  const { currency, input, output, cacheRead = input, cacheWrite = input } = prices
  const { inputTokens, outputTokens } = usage
  const read = inputTokens.cacheRead ?? 0
  const written = inputTokens.cacheWrite ?? 0
  const fresh = Math.max(0, (inputTokens.total ?? 0) - read - written)
  const amount =
    (fresh * input + read * cacheRead + written * cacheWrite + (outputTokens.total ?? 0) * output) /
    tokensPerPrice
  const before = cost?.currency === currency ? cost.amount : 0
  // Sums of small amounts would otherwise show their rounding errors.
  return { amount: Math.round((before + amount) * 1e9) / 1e9, currency }
}
