import { expect, test } from 'vitest'
import type { Network } from '../../../../packages/agent-api/src/http/network-of.ts'
import { foreignNetwork } from '../../../../packages/agent-api/src/mcp/oauth/auth-fetch.ts'

test.each<[string, Network[], Network[], Network | undefined]>([
  ['a public server names a public address', ['public'], ['public'], undefined],
  ['a private server names its network', ['private'], ['private'], undefined],
  ['a private server names a public address', ['public'], ['private'], undefined],
  ['a server here names this machine', ['loopback'], ['loopback'], undefined],
  ['a public server names this machine', ['loopback'], ['public'], 'loopback'],
  [
    'a public server whose name also leads here names this machine',
    ['loopback'],
    ['public', 'loopback'],
    'loopback',
  ],
  [
    'a public server whose name also leads into a network names a host there',
    ['private'],
    ['private', 'public'],
    'private',
  ],
  ['two names that lead to the same networks', ['public', 'private'], ['private', 'public'], undefined],
  ['a private server names this machine', ['loopback'], ['private'], 'loopback'],
  ['one address of several is elsewhere', ['public', 'link-local'], ['public', 'private'], 'link-local'],
  ['an unknown host, which cannot be connected', [], ['public'], undefined],
])('%s', (_, target, server, expected) => {
  expect(foreignNetwork(new Set(target), new Set(server))).toBe(expected)
})
