import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  describePinChange,
  hashCanonical,
  identityOf,
  pinOf,
} from '../../../../packages/agent-api/src/policy/always-allow/definition-pin.ts'
import { errorResult, type Tool } from '../../../../packages/agent-api/src/messages/tool.ts'

/** The same value with the keys of every object reversed. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, part]) => [key, reversed(part)]),
  )
}

/** The value after serialization, in which minus zero becomes zero. */
const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('hashCanonical', () => {
  it('ignores the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(hashCanonical(reversed(value))).toBe(hashCanonical(value))
      }),
    )
  })

  it('detects every other difference', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (one, other) => {
        const same = isDeepStrictEqual(overTheWire(one), overTheWire(other))
        expect(hashCanonical(one) === hashCanonical(other)).toBe(same)
      }),
    )
  })
})

describe('pinOf', () => {
  const tool: Tool = {
    ref: { server: 'files', tool: 'read' },
    title: 'Read',
    description: 'Reads a file',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    annotations: { readOnlyHint: true },
    kind: 'read',
    execute: async () => errorResult('not called'),
  }
  const stdio = {
    type: 'stdio' as const,
    name: 'files',
    command: 'npx',
    args: ['-y', 'files', '/a'],
    env: { B: '1', A: '2' },
  }
  const http = {
    type: 'http' as const,
    name: 'files',
    url: 'https://example.com/mcp',
    headers: { Authorization: 'Bearer one' },
  }
  const identity = identityOf(stdio, '/project', '/usr/bin/npx')

  it('says what changed; for a server of another kind, only that it is another kind', () => {
    const before = pinOf(tool, identity)
    const elsewhere = identityOf({ ...stdio, args: ['-y', 'files', '/b'] }, '/project', '/usr/bin/npx')
    expect(describePinChange(before, pinOf({ ...tool, title: 'Write' }, elsewhere))).toEqual([
      "its server's arguments",
      'its title',
    ])
    expect(
      describePinChange(before, pinOf({ ...tool, title: 'Write' }, identityOf(http, '/project', ''))),
    ).toEqual(['its title', 'its server'])
    expect(describePinChange(before, before)).toEqual([])
  })

  it.each<[string, Partial<Tool>]>([
    ['description', { description: 'Reads a file and sends it away' }],
    ['title', { title: 'Write' }],
    ['schema', { inputSchema: { type: 'object' } }],
    ['annotations', { annotations: { readOnlyHint: false } }],
  ])('changes with the %s of the tool', (_, change) => {
    expect(pinOf({ ...tool, ...change }, identity).definition).not.toBe(pinOf(tool, identity).definition)
  })

  it.each([
    ['an argument', { ...stdio, args: ['-y', 'files', '/b'] }],
    ['the command', { ...stdio, command: 'bunx' }],
    ['a variable more', { ...stdio, env: { ...stdio.env, NODE_OPTIONS: '--require x' } }],
    ['the directory', { ...stdio, cwd: '/elsewhere' }],
    ['the transport', http],
  ])('changes with %s of the server', (_, config) => {
    expect(pinOf(tool, identityOf(config, '/project', '/usr/bin/npx')).identity).not.toBe(
      pinOf(tool, identity).identity,
    )
  })

  it('changes with the program that the command resolves to', () => {
    expect(pinOf(tool, identityOf(stdio, '/project', '/tmp/evil/npx')).identity).not.toBe(
      pinOf(tool, identity).identity,
    )
  })

  it.each(['NODE_OPTIONS', 'PATH', 'Path', 'LD_PRELOAD', 'PYTHONPATH', 'npm_config_registry', 'BASH_ENV'])(
    'changes with the value of %s, which loads code',
    (name) => {
      const withValue = (value: string) =>
        identityOf({ ...stdio, env: { ...stdio.env, [name]: value } }, '/project', '/usr/bin/npx')
      const [before, now] = ['/opt/a', '/tmp/b'].map((value) => pinOf(tool, withValue(value)))
      expect(before && now && describePinChange(before, now)).toEqual(["its server's variables"])
    },
  )

  it('does not change with a secret or the order of variables', () => {
    const same = identityOf({ ...stdio, env: { A: 'other', B: 'values' } }, '/project', '/usr/bin/npx')
    expect(pinOf(tool, same)).toEqual(pinOf(tool, identity))
    const withPassword = (password: string) => {
      const env = {
        npm_config__authToken: password,
        UV_INDEX: `a=https://me:${password}@a.test b=https://me:${password}@b.test`,
      }
      return pinOf(tool, identityOf({ ...stdio, env }, '/project', '/usr/bin/npx'))
    }
    expect(withPassword('opensesame')).toEqual(withPassword('another1'))
    const bearer = (value: string) =>
      identityOf({ ...http, headers: { authorization: value } }, '/project', '')
    expect(pinOf(tool, bearer('Bearer two'))).toEqual(pinOf(tool, identityOf(http, '/project', '')))
  })
})
