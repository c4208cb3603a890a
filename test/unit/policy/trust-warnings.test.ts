import { expect, it } from 'vitest'
import { matchesTrust, warnOfPatterns } from '../../../packages/agent-api/src/policy/trust.ts'

it.each(['*', '*:*', '*:read'])('%s trusts nothing, which is reported', (pattern) => {
  expect(matchesTrust(pattern, { server: 'files', tool: 'read' })).toBe(false)
  expect(warnOfPatterns([pattern])).toEqual([
    expect.stringContaining(`trustedTools: '${pattern}' is not supported and trusts nothing`),
  ])
})

it('a name without a server trusts more than it seems to, which is reported', () => {
  expect(warnOfPatterns(['read'])).toEqual([
    expect.stringContaining("trustedTools: 'read' trusts the tool of that name on every server"),
  ])
  expect(warnOfPatterns(['files:read', 'files:*'])).toEqual([])
})

it.each<[string, string | null, string, boolean]>([
  ['run_command', null, 'run_command', true],
  ['run_command', 'files', 'run_command', true],
  ['ostler:run_command', null, 'run_command', true],
  ['ostler:*', null, 'run_command', true],
  ['ostler:run_command', null, 'read_file', false],
  ['ostler:run_command', 'files', 'run_command', false],
  ['ostler:*', 'files', 'run_command', false],
  ['files:*', null, 'run_command', false],
  ['ostler:run_command', 'ostler', 'run_command', false],
  ['ostler:*', 'ostler', 'run_command', false],
  ['files:run_command', 'files', 'run_command', true],
])('%s trusts the tool of %s named %s: %s', (pattern, server, tool, isTrusted) => {
  expect(matchesTrust(pattern, { server, tool })).toBe(isTrusted)
})
