import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { formatCheck, type CheckReport } from '../../../../../packages/cli/src/commands/check/format-check.ts'

const file = '/home/me/ostler.yaml'
const bare: CheckReport = {
  ok: true,
  file: null,
  foundBy: 'none',
  connected: false,
  agent: { name: 'default', approvalMode: 'always-ask' },
  model: { id: 'offline', ready: true },
  state: { directory: null, grants: null },
  servers: [],
  secretStore: null,
  builtinTools: [],
  localTools: [],
  problems: [],
  warnings: [],
  notes: [],
} as unknown as CheckReport

const server = (name: string, over: object = {}) => ({
  name,
  source: 'file',
  type: 'stdio',
  mode: 'dynamic',
  required: false,
  origin: `run ${name}`,
  place: `${file}:3:1`,
  state: 'not-connected',
  tools: [],
  ...over,
})
const at = (value: unknown, line: number) => ({ value, source: 'toolbox.tools', place: `${file}:${line}:5` })
const byDefault = (value: unknown) => ({ value, source: 'built in' })
const tool = {
  name: 'weigh',
  maxInstances: at(2, 7),
  timeoutMs: at(90_000, 7),
  include: byDefault('always'),
  approval: byDefault(null),
}
const lines = (over: object) =>
  stripVTControlCharacters(formatCheck({ ...bare, ...over }))
    .trimEnd()
    .split('\n')

it('shows where no file was found, and describes the built-in agent', () => {
  expect(lines({})).toEqual([
    'Agent file:  not found; using the built-in agent',
    'Agent:       default',
    'Model:       offline',
    'Approval:    always-ask',
    'State:       none',
    '',
    'The agent would start.',
  ])
})

it('shows how many problems prevent the start if the file cannot be used', () => {
  expect(
    lines({ ok: false, file, foundBy: 'flag', agent: null, model: null, problems: ['one', 'two'] }),
  ).toEqual([`Agent file:  ${file} (named by --agent)`, '', 'The agent would not start: 2 problems.'])
})

it.each([
  [
    'a model that cannot be asked',
    { model: { id: 'x/y', ready: false, reason: 'no key' } },
    'Model:       x/y (not usable: no key)',
  ],
  ['one grant', { state: { directory: '/state', grants: 1 } }, 'State:       /state (1 grant)'],
  ['several grants', { state: { directory: '/state', grants: 2 } }, 'State:       /state (2 grants)'],
  ['the place of secrets', { secretStore: { kind: 'memory' } }, 'Secrets:     in memory, until Ostler ends'],
  [
    'a warning, with the file by its name',
    { file, warnings: [`${file}:4:2: careful`] },
    'Warning: ostler.yaml:4:2: careful',
  ],
  [
    'an assumption, with the file by its name',
    { file, notes: [`${file}:4:2: assumed`] },
    'Note: ostler.yaml:4:2: assumed',
  ],
  [
    'a server that was not tried',
    { servers: [server('a', { source: 'stored' })] },
    'The agent would start. Its servers were not started; --connect starts them and shows their tools.',
  ],
  [
    'a server that failed',
    { servers: [server('a', { state: 'failed', reason: 'gone' })] },
    'Failed: a: gone',
  ],
])('reports %s', (_, over, line) => {
  expect(lines(over)).toContain(line)
})

it('shows servers with their states, and tools with the numbers of their sources', () => {
  const servers = [
    server('a', {
      state: 'connected',
      connectMs: 1_250,
      tools: [tool, { ...tool, name: 'shoe', timeoutMs: byDefault(1_500) }],
    }),
    server('b', { state: 'failed', required: true }),
    server('c', { state: 'disabled' }),
    server('d', { state: 'unused', source: 'stored' }),
  ]
  const shown = lines({
    file,
    connected: true,
    servers,
    localTools: [{ ...tool, timeoutMs: byDefault(2_000), approval: byDefault('ask') }],
  })
  expect(shown.slice(6, 11)).toEqual([
    'SERVER      MODE     STATUS     TIME    TOOLS  RUNS',
    'a           dynamic  connected  1.25 s  2      run a',
    'b           dynamic  failed                    run b',
    'c           dynamic  disabled                  run c',
    'd (stored)  dynamic  not used                  run d',
  ])
  expect(shown.slice(12)).toEqual([
    'a',
    '  TOOL   MAX INSTANCES  TIMEOUT         INCLUDE     APPROVAL',
    '  weigh  2 [1]          1 min 30 s [1]  always [2]  by mode [2]',
    '  shoe   2 [1]          1.5 s [2]       always [2]  by mode [2]',
    '  [1] toolbox.tools, ostler.yaml:7',
    '  [2] built in',
    '',
    'Local tools',
    '  TOOL   MAX INSTANCES  TIMEOUT  INCLUDE     APPROVAL',
    '  weigh  2 [1]          2 s [2]  always [2]  ask [2]',
    '  [1] toolbox.tools, ostler.yaml:7',
    '  [2] built in',
    '',
    'The agent would start.',
  ])
})

it('shows what could not be asked, and how much is granted', () => {
  const model = { id: 'vendor/large', ready: false, reason: 'there is no key' }
  const grants = (number: number) => lines({ model, state: { directory: '/state', grants: number } })
  expect(grants(1)).toEqual(
    expect.arrayContaining([
      'Model:       vendor/large (not usable: there is no key)',
      'State:       /state (1 grant)',
    ]),
  )
  expect(grants(2)).toContain('State:       /state (2 grants)')
})

it('shows why an optional server failed; a required one is listed among the problems', () => {
  const state = 'failed'
  const shown = lines({
    servers: [
      server('a', { state, reason: 'exit code 3' }),
      server('b', { state, required: true, reason: 'lost' }),
    ],
  })
  expect(shown).toContain('Failed: a: exit code 3')
  expect(shown.join('\n')).not.toContain('lost')
})
