import { describe, expect, it } from 'vitest'
import type { ToolCallEnd, ToolCallOutcome } from '../../../packages/agent-api/src/messages/message.ts'
import { createLoopGuard } from '../../../packages/agent-api/src/turn/loop-guard.ts'

const step = (outcome: ToolCallEnd, ...inputs: string[]) =>
  [
    inputs.map((input, index) => ({
      type: 'tool_call' as const,
      id: `call_${index}`,
      wireName: 'tool',
      input,
    })),
    inputs.map((_, index) => ({
      id: `call_${index}`,
      wireName: 'tool',
      outcome,
      result: { isError: false, content: [] },
    })),
  ] as const

type Step = ReturnType<typeof step>

/** The number of steps until the guard has had enough, at most `limit`. */
function stepsUntilLooping(
  limit: number,
  nth: (n: number) => readonly [Step[0], readonly ToolCallOutcome[]],
): number {
  const guard = createLoopGuard()
  for (let n = 1; n <= limit; n++) if (guard.isLooping(...nth(n))) return n
  return Infinity
}

describe('the loop guard', () => {
  it('ends repeated calls', () => {
    expect(stepsUntilLooping(50, () => step('success', '{"a":1}'))).toBe(10)
  })

  it('allows the same call repeatedly while its result changes', () => {
    const running = (n: number) => {
      const [calls, results] = step('success', 'npm test')
      return [
        calls,
        results.map((result) => ({
          ...result,
          result: { isError: true, content: [{ type: 'text' as const, text: `${n} failed` }] },
        })),
      ] as const
    }
    expect(stepsUntilLooping(50, running)).toBe(Infinity)
    expect(stepsUntilLooping(50, (n) => running(n % 2))).toBe(19)
  })

  it('ends a ping-pong', () => {
    expect(stepsUntilLooping(50, (n) => step('success', n % 2 === 0 ? 'ping' : 'pong'))).toBe(19)
  })

  it('allows a long task', () => {
    expect(stepsUntilLooping(90, (n) => step('success', `file ${n}`))).toBe(Infinity)
  })

  it('ends when no call is valid', () => {
    expect(stepsUntilLooping(50, (n) => step(n % 2 === 0 ? 'unknown' : 'invalid', `try ${n}`))).toBe(4)
  })

  it('ends a flood', () => {
    const many = (n: number) => Array.from({ length: 64 }, (_, index) => `${n} ${index}`)
    expect(stepsUntilLooping(50, (n) => step('success', ...many(n)))).toBe(8)
  })
})
