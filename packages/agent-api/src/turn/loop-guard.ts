import type { ToolCallOutcome, ToolCallPart } from '../messages/message.ts'

/** Ends a turn whose model repeats itself without progress, which costs money. */
export interface LoopGuard {
  /** Records a step. Returns true if the turn should end. */
  isLooping(calls: readonly ToolCallPart[], results: readonly ToolCallOutcome[]): boolean
}

/** Limit on identical calls, including arguments. High enough for a model that polls a job. */
const sameCallMax = 10
/** Consecutive steps in which no call could be tried. */
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
      // Identical calls within a step are fine; across steps they count.
      const repeats = [...new Set(stepCalls.map(({ wireName, input }) => `${wireName} ${input}`))].map((key) => {
        const count = (seen.get(key) ?? 0) + 1
        seen.set(key, count)
        return count
      })
      return calls >= callsPerTurnMax || fruitlessSteps >= fruitlessStepsMax || repeats.some((count) => count >= sameCallMax)
    },
  }
}
