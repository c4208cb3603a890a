import { expect, it } from 'vitest'
import { matchesTrust, warnOfPatterns } from '../../../packages/agent-api/src/policy/trust.ts'

it.each(['*', '*:*', '*:read'])('%s trusts nothing, and that is said', (pattern) => {
  expect(matchesTrust(pattern, { server: 'files', tool: 'read' })).toBe(false)
  expect(warnOfPatterns([pattern])).toEqual([expect.stringContaining(`trustedTools: '${pattern}' is not supported and trusts nothing`)])
})

it('a name without a server trusts more than it seems to, which is reported', () => {
  expect(warnOfPatterns(['read'])).toEqual([expect.stringContaining("trustedTools: 'read' trusts the tool of that name on every server")])
  expect(warnOfPatterns(['files:read', 'files:*'])).toEqual([])
})
