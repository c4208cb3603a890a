import { expect, it } from 'vitest'
import { describeClaims } from '../../../packages/agent-api/src/policy/describe-claims.ts'

it.each([
  [{}, ''],
  [{ readOnlyHint: true, destructiveHint: true, idempotentHint: true }, 'it only reads'],
  [{ readOnlyHint: true, destructiveHint: false }, 'it only reads'],
  [{ readOnlyHint: false, destructiveHint: true }, 'it may change things, it may destroy things'],
  [{ destructiveHint: false, idempotentHint: true }, 'it only adds, calling it again has no further effect'],
  [{ openWorldHint: true }, 'it may reach beyond this machine'],
  [{ openWorldHint: false }, 'it reaches nothing beyond its own data'],
])('%j: %s', (claims, said) => {
  expect(describeClaims(claims)).toBe(said)
})
