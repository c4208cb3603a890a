import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Usage } from '../messages/turn-event.ts'

/** Adds up what the steps of a turn cost. */
export interface UsageMeter {
  add(usage: LanguageModelV4Usage): void
  total(): Usage
}

export function createUsageMeter(contextSize: number): UsageMeter {
  let inputTokens = 0
  let outputTokens = 0
  let contextUsed = 0
  return {
    add(usage) {
      const input = usage.inputTokens.total ?? 0
      const output = usage.outputTokens.total ?? 0
      inputTokens += input
      outputTokens += output
      // Each step sends the whole conversation again, so the last one says how full the window is.
      contextUsed = input + output
    },
    total: () => ({ inputTokens, outputTokens, contextUsed, contextSize }),
  }
}
