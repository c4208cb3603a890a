import { describe, expect, test } from 'vitest'
import { didYouMean } from '../../packages/agent-api/src/base/did-you-mean.ts'
import { parsedValuesMax } from '../../packages/agent-api/src/base/value-counter.ts'
import { launcherTraces } from '../../packages/agent-api/src/policy/launcher-traces.ts'
import { toAdmission } from '../../packages/agent-api/src/servers/admission.ts'
import { unusedEntries } from '../../packages/agent-api/src/servers/unused-entries.ts'
import { findProblems } from '../../packages/agent-api/src/tools/find-problems.ts'
import { pathsIn } from '../../packages/agent-api/src/base/git-settings.ts'
import { loopWorkMaxMs, startLoopMonitor } from '../support/loop-monitor.ts'
import { vastSchemas } from '../support/vast-schemas.ts'

type Schema = Record<string, unknown>

const string = { type: 'string' }

describe('parsing as much JSON as one message may hold', () => {
  const list = <T>(length: number, item: (index: number) => T) =>
    Array.from({ length }, (_, index) => item(index))
  test.each<[string, (round: number) => unknown]>([
    ['numbers', () => list(parsedValuesMax, Number)],
    ['empty objects', () => list(parsedValuesMax / 2, () => ({}))],
    // V8 knows names that it has met before.
    ['names', (round) => Object.fromEntries(list(parsedValuesMax, (index) => [`name${round}${index}`, 1]))],
    ['long texts', () => list(10_000, () => 'x'.repeat(1_000))],
    ['escapes', () => '"\n'.repeat(2_400_000)],
  ])('%s', async (_, make) => {
    await using monitor = startLoopMonitor()
    const times: number[] = []
    for (const round of [0, 1, 2]) {
      const text = JSON.stringify(make(round))
      await monitor.reset()
      JSON.parse(text)
      times.push(await monitor.longestWorkMs())
    }
    // The others may have the garbage of the earlier tests in them.
    expect(Math.min(...times)).toBeLessThan(loopWorkMaxMs)
  })
})

describe('checking arguments', () => {
  const node = { properties: { a: { $ref: '#' } }, additionalProperties: false }
  const list = (length: number) => Array.from({ length }, (_, index) => index)
  test.each<[string, Schema, unknown]>([
    ...Object.entries(vastSchemas).map(([name, schema]): [string, Schema, unknown] => [
      name,
      schema,
      { a: { a: { a: 1 } } },
    ]),
    [
      'a hundred thousand items',
      { properties: { a: { items: { type: 'integer', anyOf: [string, { minimum: 0 }] } } } },
      { a: list(100_000) },
    ],
    [
      'very many items that may not be there',
      { properties: { a: { unevaluatedItems: false } } },
      { a: list(400_000) },
    ],
    [
      'unique objects',
      { properties: { a: { uniqueItems: true } } },
      { a: list(20_000).map((x) => ({ x, y: x })) },
    ],
    [
      'a large enum of objects for each item',
      { properties: { a: { items: { enum: list(3_000).map((x) => ({ x })) } } } },
      { a: list(20_000).map((x) => ({ x })) },
    ],
    [
      'patterns that repeat',
      { properties: { a: { pattern: '((a{1,30}){1,30})$' } } },
      { a: `${'a'.repeat(900_000)}!` },
    ],
    [
      'many patterns that take long to compile',
      {
        properties: Object.fromEntries(list(500).map((x) => [`p${x}`, { pattern: `[\\p{L}${x}]{1,1000}` }])),
      },
      Object.fromEntries(list(500).map((x) => [`p${x}`, 'a'])),
    ],
    ['a pattern of brackets', { properties: { a: { pattern: '('.repeat(60_000) } } }, { a: 'a' }],
    [
      'a tree that is as deep as it may be',
      { properties: { a: { $ref: '#' } } },
      JSON.parse(`${'{"a":'.repeat(199)}1${'}'.repeat(199)}`),
    ],
    [
      'two alternatives at each level of a deep value',
      { anyOf: [node, { ...node, required: ['z'] }], $defs: {} },
      JSON.parse(`${'{"a":'.repeat(100)}{"a":1}${'}'.repeat(100)}`),
    ],
    [
      'anchors and ids',
      {
        $ref: '#0',
        $defs: list(30).map((x) => ({
          $anchor: `${x}`,
          $id: `${x}`,
          anyOf: [{ $ref: `#${x + 1}` }, { $ref: `${x + 1}` }],
        })),
      },
      { a: 1 },
    ],
    [
      'a long way of references',
      {
        $ref: '#/$defs/0',
        $defs: list(1_000).map((index) => ({ allOf: [{ $ref: `#/$defs/${index + 1}` }] })),
      },
      { a: 1 },
    ],
  ])('%s', async (_, schema, value) => {
    await using monitor = startLoopMonitor()
    const own = JSON.parse(JSON.stringify(schema)) as Schema
    await monitor.reset()
    findProblems(own, value)
    expect(await monitor.longestWorkMs()).toBeLessThan(loopWorkMaxMs)
  })
})

describe('texts that a stranger wrote', () => {
  const names = (prefix: string) =>
    Array.from({ length: 400 }, (_, index) => `${prefix}_of_the_server_${index}`)
  const at = { work: '/home/me/projects/one', file: '/home/me/projects/one/.git/config' }
  test.each<[name: string, read: () => unknown]>([
    ['settings of Git: empty lines', () => pathsIn('\n'.repeat(100_000), at)],
    ['settings of Git: many paths', () => pathsIn('path=a\n'.repeat(140_000), at)],
    [
      'a command line of many words',
      () => launcherTraces({ command: 'sh', args: ['-c', 'a '.repeat(50_000)] }),
    ],
    [
      'many entries for tools that are not there',
      () => {
        const configured = names('toll').map((name) => ({ name }))
        return unusedEntries({ configured, servers: ['s'], offered: names('tool') })
      },
    ],
    [
      'many names in a list that match nothing',
      () => {
        const policy = { mode: 'dynamic', toolDenylist: names('toll') } as const
        return toAdmission({ server: 's', origin: '', policy, offered: names('tool'), configured: [] })
      },
    ],
  ])('%s', async (_, read) => {
    await using monitor = startLoopMonitor()
    await monitor.reset()
    await read()
    expect(await monitor.longestWorkMs()).toBeLessThan(loopWorkMaxMs)
  })
})

test('comparing a name with thousands of long ones', async () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `tool-${index}`.padEnd(512, 'xyz'))
  await using monitor = startLoopMonitor()
  await monitor.reset()
  expect(didYouMean('read_file', names)).toBeUndefined()
  expect(await monitor.longestWorkMs()).toBeLessThan(loopWorkMaxMs)
})
