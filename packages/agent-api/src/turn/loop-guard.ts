import { createHash } from 'node:crypto'
import type { ToolCallOutcome, ToolCallPart } from '../messages/message.ts'
import { toPlainText } from '../messages/tool-output.ts'

/** Ends a turn whose model repeats itself without progress, which costs money. */
interface LoopGuard {
  isLooping(calls: readonly ToolCallPart[], results: readonly ToolCallOutcome[]): boolean
}

/** Limit on identical calls with identical results. Tests that are run again after each change do not count, unless nothing changes. */
const sameCallMax = 10
const fruitlessStepsMax = 4
const callsPerTurnMax = 500

export function createLoopGuard(): LoopGuard {
  const seen = new Map<string, number>()
  let fruitlessSteps = 0
  let calls = 0
  return {
    isLooping(stepCalls, results) {
      calls += stepCalls.length
      fruitlessSteps = results.every(({ outcome }) => outcome === 'unknown' || outcome === 'invalid')
        ? fruitlessSteps + 1
        : 0
      // Identical calls within a step are fine; across steps they count.
      const resultOf = new Map(results.map(({ id, result }) => [id, result.content.map(toPlainText).join()]))
      const repeats = [
        ...new Set(stepCalls.map(({ id, wireName, input }) => digest([wireName, input, resultOf.get(id)]))),
      ].map((key) => {
        const count = (seen.get(key) ?? 0) + 1
        seen.set(key, count)
        return count
      })
      return (
        calls >= callsPerTurnMax ||
        fruitlessSteps >= fruitlessStepsMax ||
        repeats.some((count) => count >= sameCallMax)
      )
    },
  }
}

/** Results may be long, and there may be hundreds of them. */
function digest(parts: readonly (string | undefined)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part?.length}:`).update(part ?? '')
  return hash.digest('base64')
}
