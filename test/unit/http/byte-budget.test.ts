import { expect, it } from 'vitest'
import { createByteBudget, processBudget } from '../../../packages/agent-api/src/http/byte-budget.ts'

const MiB = 1024 * 1024

it('bytes count in the enclosing budget, too, and are released from both', () => {
  const whole = createByteBudget({ bytesMax: 10 * MiB, holder: 'all' })
  const one = createByteBudget({ bytesMax: 8 * MiB, holder: 'one', within: whole })
  const other = createByteBudget({ bytesMax: 8 * MiB, holder: 'the other', within: whole })
  expect(one.take(8 * MiB)).toBeUndefined()
  expect(one.take(1)).toBe('one hold more than 8 MiB')
  expect(other.take(3 * MiB)).toBe('all hold more than 10 MiB')
  expect(other.take(2 * MiB)).toBeUndefined()
  one.take(-8 * MiB)
  expect(other.take(6 * MiB)).toBeUndefined()
})

it('the answers that a process receives at once hold at most 128 MiB', () => {
  expect(processBudget.take(128 * MiB + 1)).toBe('all unfinished answers together hold more than 128 MiB')
})
