import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Usage } from '../messages/turn-event.ts'

/** Adds up the token usage of a turn's steps. */
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
      // Each step sends the whole conversation, so the last one shows how full the window is.
      contextUsed = input + output
    },
    total: () => ({ inputTokens, outputTokens, contextUsed, contextSize }),
  }
}
