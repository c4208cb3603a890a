import { queryObjects } from 'node:v8'
import { expect, test } from 'vitest'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import type { Established } from '../../../packages/agent-api/src/mcp/connector.ts'
import { createLink } from '../../../packages/agent-api/src/mcp/link.ts'
import { quickTiming } from '../../support/quick-timing.ts'
import { toTiming } from '../../../packages/agent-api/src/base/timing.ts'

class Held {
  readonly capabilities = ['tools', 'logging']
  readonly era = 'modern'
  readonly server = { name: 'work', version: '1', protocolVersion: '2026-07-28' }
}

test('the server stays known when its connection ends, and nothing keeps the connection in memory', () => {
  const link = createLink({
    name: 'work',
    logger: silentLogger,
    timing: toTiming(quickTiming),
    signal: new AbortController().signal,
    onListed: () => undefined,
    onDead: () => undefined,
  })
  const phases = { startMs: 1, handshakeMs: 2, discoveryMs: 3 }
  const held = () => queryObjects(Held, { format: 'count' })
  const hold = () =>
    link.hold({
      connection: new Held(),
      tools: [],
      prompts: [],
      warnings: [],
      phases,
    } as unknown as Established)
  hold()
  expect(held()).toBe(1)
  link.release()
  expect(held()).toBe(0)
  expect(link.seen).toMatchObject({ capabilities: ['tools', 'logging'], phases, known: { era: 'modern' } })
})
