import { expect, it } from 'vitest'
import { withJitter } from '../../../packages/agent-api/src/mcp/connection-driver.ts'

it.each([
  [0, 60_000],
  [0.5, 54_000],
  [1, 48_000],
])(
  'a pause of a minute is shortened by up to a fifth, so that agents do not return together (%d)',
  (random, expected) => {
    expect(withJitter(60_000, random)).toBe(expected)
  },
)
