import { expect, test } from 'vitest'
import { checkAgentServers, idleMsOf } from '../../../packages/agent-api/src/policy/agent-server.ts'

const config = { type: 'stdio', name: 'x', command: 'x', args: [], env: {} } as const

test.each([
  [{}, Infinity],
  [{ start: 'eager' }, Infinity],
  [{ start: 'eager', idleMs: 5_000 }, 5_000],
  [{ start: 'known-on-demand' }, 600_000],
  [{ start: 'known-on-demand', idleMs: 5_000 }, 5_000],
  [{ start: 'known-on-demand', idleMs: Infinity }, Infinity],
] as const)('%j sleeps after %d ms', (rest, idleMs) => expect(idleMsOf(rest)).toBe(idleMs))

test('a dynamic server has defaults for its tools', () => {
  expect(() => checkAgentServers([{ config, mode: 'dynamic' }])).toThrow('missing required field')
})
