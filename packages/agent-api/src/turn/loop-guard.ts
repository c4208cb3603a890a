import type { ToolCallOutcome, ToolCallPart } from '../messages/message.ts'

/** A model that does the same again and again gets nowhere, and costs money getting there. */
export interface LoopGuard {
  /** Looks at what a step did; true when the turn should end. */
  isLooping(calls: readonly ToolCallPart[], results: readonly ToolCallOutcome[]): boolean
}

/** The very same call, arguments and all. High enough for a model that polls a job. */
const sameCallMax = 10
/** Steps in a row in which no call could even be tried. */
const fruitlessStepsMax = 4
const callsPerTurnMax = 500

export function createLoopGuard(): LoopGuard {
  const seen = new Map<string, number>()
  let fruitlessSteps = 0
  let calls = 0
  return {
    isLooping(stepCalls, results) {
      calls += stepCalls.length
      fruitlessSteps = results.every(({ outcome }) => outcome === 'unknown' || outcome === 'invalid') ? fruitlessSteps + 1 : 0
      // Within a step a call may well stand several times; across steps it should not.
      const repeats = [...new Set(stepCalls.map(({ wireName, input }) => `${wireName} ${input}`))].map((key) => {
        const count = (seen.get(key) ?? 0) + 1
        seen.set(key, count)
        return count
      })
      return calls >= callsPerTurnMax || fruitlessSteps >= fruitlessStepsMax || repeats.some((count) => count >= sameCallMax)
    },
  }
}
