import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { afterAnswer, tokensIn, type Estimate } from '../context/gauge.ts'
import { addCost } from '../context/session-cost.ts'
import { windowOf, type RoomPorts } from '../context/room-ports.ts'
import type { Cost } from '../messages/turn-event.ts'

export interface UsageMeter extends Readonly<RoomPorts['usage']> {
  /** The estimate is used if the vendor does not count. */
  add(usage: LanguageModelV4Usage, estimate: Estimate, answerTokens: number): void
}

export function createUsageMeter({
  model,
  gauge,
  cost,
}: Pick<RoomPorts, 'model' | 'gauge'> & { readonly cost: { current: Cost | undefined } }): UsageMeter {
  let spent = { inputTokens: 0, outputTokens: 0 }
  let context = { contextUsed: 0, isEstimate: false }

  function addSide(usage: LanguageModelV4Usage, by = model): { input: number; output: number } {
    const input = usage.inputTokens.total ?? 0
    const output = usage.outputTokens.total ?? 0
    spent = { inputTokens: spent.inputTokens + input, outputTokens: spent.outputTokens + output }
    cost.current = addCost(cost.current, usage, by.prices)
    return { input, output }
  }

  return {
    add(usage, estimate, answerTokens) {
      const { input, output } = addSide(usage)
      const isEstimate = input === 0
      const estimated = () =>
        tokensIn(gauge.current, estimate) + Math.ceil(answerTokens * gauge.current.ratio)
      // Each step sends the whole conversation, so the last one shows how full the window is.
      context = { contextUsed: isEstimate ? estimated() : input + output, isEstimate }
      gauge.current = afterAnswer(gauge.current, estimate, { input, output })
    },
    addSide,
    setUsed(tokens) {
      context = { contextUsed: tokens, isEstimate: true }
    },
    total: () => ({
      ...spent,
      contextUsed: context.contextUsed,
      contextSize: windowOf({ model, gauge }),
      ...(context.isEstimate && { isEstimate: true }),
      ...(cost.current !== undefined && { cost: cost.current }),
    }),
  }
}
