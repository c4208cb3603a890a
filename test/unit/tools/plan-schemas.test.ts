import { expect, test } from 'vitest'
import {
  planSchemas,
  type EarlierPlan,
  type PlannedTool,
  type SchemaLimits,
} from '../../../packages/agent-api/src/tools/plan-schemas.ts'

const tool = (key: string, schemas: PlannedTool['schemas'] = 'auto', rank = 2): PlannedTool => ({
  key,
  tokens: 100,
  schemas,
  rank,
})
const wide: SchemaLimits = { tokensMax: 1_000, countMax: Infinity }
const narrow: SchemaLimits = { tokensMax: 199, countMax: Infinity }
const nothing: EarlierPlan = { full: [], waits: false, isDecided: false }
const decided: EarlierPlan = { full: ['a'], waits: true, isDecided: true }
const three = [tool('a'), tool('b'), tool('c')]
const own = tool('own', 'full', 0)

test.each<[string, readonly PlannedTool[], SchemaLimits, EarlierPlan, readonly string[], readonly string[]]>([
  ['within the share, all are sent', three, wide, nothing, [], ['a', 'b', 'c']],
  [
    'the share itself is within the share',
    [tool('a'), tool('b')],
    { ...wide, tokensMax: 200 },
    nothing,
    [],
    ['a', 'b'],
  ],
  ['above the share, they wait', three, narrow, nothing, [], []],
  ['above the share, those that are wanted do not', three, narrow, nothing, ['b', 'x'], ['b']],
  ['tools that are always sent do not count', [own, tool('a')], narrow, nothing, [], ['own', 'a']],
  ['deferred tools wait within the share', [tool('a', 'deferred'), tool('b')], wide, nothing, [], ['b']],
  ['deferred tools that are wanted do not', [tool('a', 'deferred')], narrow, nothing, ['a'], ['a']],
  ['full tools never wait', [tool('a', 'full'), ...three.slice(1)], narrow, nothing, [], ['a']],
  ['what was sent stays', three, narrow, { ...nothing, full: ['a', 'b'] }, [], ['a', 'b']],
  ['what waits stays, although there is room now', three, wide, decided, [], ['a']],
  ['once decided, wanted tools wait as well', three, wide, decided, ['b'], ['a']],
  [
    'while only deferred tools wait, new tools within the share are sent',
    [tool('a'), tool('b'), tool('x', 'deferred')],
    wide,
    { full: ['a'], waits: false, isDecided: true },
    ['x'],
    ['a', 'b'],
  ],
  ['as many as the vendor accepts', three, { ...wide, countMax: 3 }, nothing, [], ['a', 'b', 'c']],
  [
    'beyond, two places are for the tools that find and call',
    [own, ...three],
    { ...wide, countMax: 3 },
    nothing,
    [],
    ['own'],
  ],
  [
    'beyond, local tools come first, then what was sent, what is wanted, and others by their rank',
    [
      tool('agent', 'full', 3),
      tool('session', 'full'),
      tool('wanted', 'deferred', 3),
      tool('sent', 'auto', 3),
      own,
      tool('late', 'full', 3),
      tool('deferred', 'deferred'),
    ],
    { ...wide, countMax: 6 },
    { ...nothing, full: ['sent'] },
    ['wanted'],
    ['own', 'sent', 'session', 'wanted'],
  ],
  [
    'beyond, what is wanted comes before others of its kind',
    [...three, tool('d')],
    { ...wide, countMax: 3 },
    nothing,
    ['c'],
    ['c'],
  ],
  ['with room for no more than those two, nothing is sent', three, { ...wide, countMax: 1 }, nothing, [], []],
])('%s', (_, tools, limits, earlier, wanted, expected) => {
  const sent = planSchemas(tools, limits, earlier, (key) => wanted.includes(key))
  expect([...sent].toSorted()).toEqual(expected.toSorted())
})
