import { approvalModes } from '../../../../packages/agent-api/src/policy/approval-mode.ts'
import { readApprovals } from '../../../../packages/agent-api/src/policy/approval.ts'
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agentFileTemplate } from '../../../../packages/workbench/src/agent-file/agent-file-template.ts'
import {
  isSameSettings,
  type AgentSettings,
  type ToolSetting,
} from '../../../../packages/workbench/src/agent-file/agent-settings.ts'
import {
  applyAgentFileEdit,
  planAgentFileEdit,
  readAgentSettings,
} from '../../../../packages/workbench/src/agent-file/edit-agent-file.ts'
import { openTempDir } from '../../../support/temp-dir.ts'

const full = `# What this agent is for
name: reviewer   # kept under this name

model: "anthropic/claude"
approval:  # who is asked
  # nobody but the one who wrote this
  mode: 'always-ask' # asks
  trustedTools:
    - files:read # reading is fine
    # and so is this
    - customers:*
#  more: to come

mcpServers:
  files:   # the usual one
    type: stdio
    command: npx
    args: [ -y,  "@modelcontextprotocol/server-filesystem", '\${HOME}' ]
    env: { TOKEN: "\${FILES_TOKEN:-none}" }
    mode: dynamic
    defaultToolConfig: {}
  customers:
    type: http
    url: https://customers.example.com/mcp
    auth: {type: bearer, token: "plain"}
    mode: strict
toolbox:
  maxConcurrent: 8
  tools:
  - name: get_customer # one
    server: customers
    timeout: 1m
  # the dangerous one
  - approval: deny
    name: delete_customer
  - { name: list_customers, maxInstances: 2 }   # in one line

# The end.
`

const home: Readonly<Record<string, string>> = { HOME: '/home/me' }

type Change = (settings: AgentSettings) => AgentSettings

async function edit(before: string | undefined, change: Change, { name = 'ostler.yaml', env = home } = {}) {
  await using dir = await openTempDir()
  const path = join(dir.path, name)
  if (before !== undefined) await writeFile(path, before)
  const { settings, version } = await readAgentSettings(path, env)
  const wanted = change(settings)
  const plan = await planAgentFileEdit({ path, settings: wanted, env })
  expect(await readFile(path, 'utf8').catch(() => undefined)).toBe(before)
  if (plan.issues.length > 0) return { ...plan, wanted, settings }
  await applyAgentFileEdit({ path, settings: wanted, env, version })
  const after = await readFile(path, 'utf8').catch(() => '')
  const then = await readAgentSettings(path, env)
  expect(after).toBe(plan.after)
  expect(then.problems).toEqual([])
  return { ...plan, wanted, settings: then.settings }
}

/** The removed and added lines of a diff, without context. */
const changed = (diff: string) =>
  diff
    .split('\n')
    .filter((line) => /^[-+](?![-+])/.test(line))
    .map((line) => line.trimEnd())

const tools = (
  settings: AgentSettings,
  map: (tools: readonly ToolSetting[]) => readonly ToolSetting[],
): AgentSettings => ({
  ...settings,
  toolbox: { ...settings.toolbox, tools: map(settings.toolbox.tools) },
})

const server = (settings: AgentSettings, name: string, fields: object): AgentSettings => ({
  ...settings,
  mcpServers: { ...settings.mcpServers, [name]: { ...settings.mcpServers[name]!, ...fields } },
})

test.each<[what: string, change: Change, lines: readonly string[]]>([
  ['nothing', (settings) => settings, []],
  [
    'a value keeps its quotes and the comment beside it',
    (settings) => ({ ...settings, approval: { ...settings.approval, mode: 'auto' } }),
    ["-  mode: 'always-ask' # asks", "+  mode: 'auto' # asks"],
  ],
  [
    'an entry of a list goes with its comment, the others stay',
    (settings) => ({ ...settings, approval: { ...settings.approval, trustedTools: ['customers:*'] } }),
    ['-    - files:read # reading is fine'],
  ],
  [
    'an entry is put behind the others',
    (settings) => ({
      ...settings,
      approval: { ...settings.approval, trustedTools: [...settings.approval.trustedTools, 'new: one', 'b'] },
    }),
    ['+    - "new: one"', '+    - b'],
  ],
  [
    'a list that is emptied',
    (settings) => ({ ...settings, approval: { ...settings.approval, trustedTools: [] } }),
    [
      '-  trustedTools:',
      '-    - files:read # reading is fine',
      '-    # and so is this',
      '-    - customers:*',
      '+  trustedTools: []',
    ],
  ],
  [
    'a field that was not there is put at the end of the file',
    (settings) => ({ ...settings, toolBudget: 7 }),
    ['+', '+toolBudget: 7'],
  ],
  [
    'a model',
    (settings) => ({ ...settings, model: 'offline' }),
    ['-model: "anthropic/claude"', '+model: "offline"'],
  ],
  [
    'a small model',
    (settings) => ({ ...settings, smallModel: 'offline' }),
    ['+', '+models:', '+  small: offline'],
  ],
  [
    'a prompt of several lines',
    (settings) => ({ ...settings, systemPrompt: 'One.\nTwo.\n' }),
    ['+', '+systemPrompt: |', '+  One.', '+  Two.'],
  ],
  [
    'a built-in tool is switched off',
    (settings) => ({ ...settings, tools: { ...settings.tools, write_file: { enabled: false } } }),
    ['+', '+tools:', '+  write_file: false'],
  ],
  [
    'a built-in tool is denied',
    (settings) => ({ ...settings, tools: { run_command: { enabled: true, approval: 'deny' } } }),
    ['+', '+tools:', '+  run_command:', '+    approval: deny'],
  ],
  [
    'a choice that was not there',
    (settings) => ({ ...settings, storedServers: 'none' }),
    ['+', '+storedServers: none'],
  ],
  [
    'a list that was not there',
    (settings) => ({ ...settings, storedServers: ['a', 'b'] }),
    ['+', '+storedServers:', '+  - a', '+  - b'],
  ],
  [
    'a map that was not there',
    (settings) => ({
      ...settings,
      sessionServers: { mode: 'strict', approval: 'deny', rateLimit: { calls: 5, per: '1m' } },
    }),
    [
      '+',
      '+sessionServers:',
      '+  mode: strict',
      '+  approval: deny',
      '+  rateLimit:',
      '+    calls: 5',
      '+    per: 1m',
    ],
  ],
  [
    'a number',
    (settings) => ({ ...settings, toolbox: { ...settings.toolbox, maxConcurrent: 9 } }),
    ['-  maxConcurrent: 8', '+  maxConcurrent: 9'],
  ],
  [
    'a server is switched off',
    (settings) => server(settings, 'files', { enabled: false }),
    ['+    enabled: false'],
  ],
  [
    'when a server starts and ends',
    (settings) => server(settings, 'files', { start: 'eager', idle: '5m' }),
    ['+    start: eager', '+    idle: 5m'],
  ],
  [
    'a server becomes dynamic',
    (settings) => server(settings, 'customers', { mode: 'dynamic' }),
    ['-    mode: strict', '+    mode: dynamic', '+    defaultToolConfig: {}'],
  ],
  [
    'a field of a tool, in a block and in one line',
    (settings) =>
      tools(settings, ([a, b, c]) => [{ ...a!, approval: 'ask' }, b!, { ...c!, include: 'agent' }]),
    [
      '+    approval: ask',
      '-  - { name: list_customers, maxInstances: 2 }   # in one line',
      '+  - { name: list_customers, maxInstances: 2, include: agent }   # in one line',
    ],
  ],
  [
    'fields of tools are taken away',
    (settings) =>
      tools(settings, ([a, b, c]) => [
        { name: a!.name, server: a!.server! },
        { name: b!.name },
        { name: c!.name },
      ]),
    [
      '-    timeout: 1m',
      '-  - approval: deny',
      '-    name: delete_customer',
      '-  - { name: list_customers, maxInstances: 2 }   # in one line',
      '+  - name: delete_customer',
      '+  - { name: list_customers }   # in one line',
    ],
  ],
  [
    'a tool is taken away, another is added',
    (settings) => tools(settings, ([a, , c]) => [a!, c!, { name: 'new', timeout: '30s', approval: 'allow' }]),
    [
      '-  - approval: deny',
      '-    name: delete_customer',
      '+  - name: new',
      '+    timeout: 30s',
      '+    approval: allow',
    ],
  ],
  [
    'the same time in other words is no change',
    (settings) => tools(settings, ([a, ...rest]) => [{ ...a!, timeout: 60_000 }, ...rest]),
    [],
  ],
])('%s', async (_, change, lines) => {
  const { diff, wanted, settings } = await edit(full, change)
  expect(changed(diff)).toEqual(lines)
  expect(isSameSettings(settings, wanted)).toBe(true)
})

test.each<[string, Partial<AgentSettings['mcpServers'][string]>, string[]]>([
  ['switched off', { enabled: false }, ['-    disabled: false', '+    disabled: true']],
  ['strict', { mode: 'strict' }, ['+    mode: strict']],
  [
    'searched',
    { include: 'agent' },
    ['+    include: agent', '+    mode: dynamic', '+    defaultToolConfig: {}'],
  ],
])('a pasted server that becomes %s has what it needs', async (_, change, lines) => {
  const pasted = 'mcpServers:\n  pasted:\n    command: npx\n    disabled: false\n'
  const { diff, wanted, settings } = await edit(pasted, (before) => server(before, 'pasted', change))
  expect(changed(diff)).toEqual(lines)
  expect(isSameSettings(settings, wanted)).toBe(true)
})

test('reordered tools are rewritten, and nothing else is', async () => {
  const { after, wanted, settings } = await edit(full, (before) => tools(before, (all) => all.toReversed()))
  expect(settings.toolbox.tools).toEqual(wanted.toolbox.tools)
  expect(after.slice(0, after.indexOf('  tools:\n'))).toBe(full.slice(0, full.indexOf('  tools:\n')))
  expect(after.endsWith('\n# The end.\n')).toBe(true)
})

test.each<[what: string, before: string, after: string]>([
  ['an empty file', '', 'approval:\n  mode: auto\n'],
  ['only comments', '# mine\n', '# mine\napproval:\n  mode: auto\n'],
  ['in one line', 'approval: {}\n', 'approval: { mode: auto }\n'],
  ['in one line with more', 'approval: {trustedTools: [a]}\n', 'approval: {trustedTools: [a], mode: auto}\n'],
  ['no line break at the end', 'name: a', 'name: a\napproval:\n  mode: auto\n'],
  [
    'line breaks of Windows',
    'name: a\r\napproval:\r\n  mode: always-ask # x\r\n',
    'name: a\r\napproval:\r\n  mode: auto # x\r\n',
  ],
  [
    'four spaces',
    'toolbox:\n    maxConcurrent: 2\n',
    'toolbox:\n    maxConcurrent: 2\napproval:\n    mode: auto\n',
  ],
  ['a variable', 'approval:\n  mode: ${ASK:-always-ask}\n', 'approval:\n  mode: auto\n'],
])('%s', async (_, before, after) => {
  expect(
    (await edit(before, (settings) => ({ ...settings, approval: { ...settings.approval, mode: 'auto' } })))
      .after,
  ).toBe(after)
})

test('the file that init writes keeps all its examples', async () => {
  const { diff } = await edit(agentFileTemplate, (settings) => ({
    ...tools(settings, () => [{ name: 'x', approval: 'deny' }]),
    approval: { mode: 'trusted-only', trustedTools: ['a'], reads: 'allow' },
  }))
  expect(changed(diff)).toEqual([
    '-  mode: always-ask',
    '+  mode: trusted-only',
    '+  trustedTools:',
    '+    - a',
    '+',
    '+toolbox:',
    '+  tools:',
    '+    - name: x',
    '+      approval: deny',
  ])
})

test('the only tool is removed, and the comments around it stay', async () => {
  const before =
    'toolbox:\n  maxConcurrent: 3\n  tools: # one: by one\n    # The first.\n\n    - name: a # A\n      timeout: 1m\nname: x\n'
  const { after } = await edit(before, (settings) => tools(settings, () => []))
  expect(after).toBe('toolbox:\n  maxConcurrent: 3\n  tools: [] # one: by one\n    # The first.\n\nname: x\n')
})

test('JSON with comments keeps them', async () => {
  const before = `{
  // who is asked
  "approval": { "mode": "always-ask" }, // me
  "toolbox": {
    "tools": [
      { "name": "a" }, // first
      { "name": "b", "approval": "ask" } // second
    ]
  }
}
`
  const { after } = await edit(
    before,
    (settings) => ({
      ...tools(settings, ([a, b]) => [a!, { name: b!.name }, { name: 'c', timeout: 5 }]),
      approval: { mode: 'auto', trustedTools: ['x'], reads: 'ask' },
      toolBudget: 3,
    }),
    { name: 'ostler.jsonc' },
  )
  expect(after).toBe(`{
  // who is asked
  "approval": { "mode": "auto", "trustedTools": ["x"], "reads": "ask" }, // me
  "toolbox": {
    "tools": [
      { "name": "a" }, // first
      { "name": "b" }, // second
      {
        "name": "c",
        "timeout": 5
      }
    ]
  },
  "toolBudget": 3
}
`)
})

test('a missing file is created, for its owner only', async () => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'a/b/ostler.yaml')
  const { settings, version, isThere } = await readAgentSettings(path, home)
  expect(isThere).toBe(false)
  await applyAgentFileEdit({
    path,
    settings: { ...settings, approval: { ...settings.approval, mode: 'auto' } },
    env: home,
    version,
  })
  expect(await readFile(path, 'utf8')).toBe(
    '# The agent file of Ostler. `ostler check` validates it.\n\napproval:\n  mode: auto\n',
  )
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await expect(
    applyAgentFileEdit({ path, settings: { ...settings, toolBudget: 3 }, env: home, version }),
  ).rejects.toMatchObject({
    code: 'config.changed',
  })
})

test('permissions and links are kept, and nothing is left beside the file', async () => {
  await using dir = await openTempDir()
  await mkdir(join(dir.path, 'dotfiles'))
  const target = join(dir.path, 'dotfiles/ostler.yaml')
  const path = join(dir.path, 'ostler.yaml')
  await writeFile(target, 'toolBudget: 1\n')
  await chmod(target, 0o640)
  await symlink('dotfiles/ostler.yaml', path)
  const { settings, version } = await readAgentSettings(path, home)
  await applyAgentFileEdit({ path, settings: { ...settings, toolBudget: 2 }, env: home, version })
  expect(await readFile(target, 'utf8')).toBe('toolBudget: 2\n')
  expect((await lstat(path)).isSymbolicLink()).toBe(true)
  expect((await stat(target)).mode & 0o777).toBe(0o640)
  expect(await readdir(join(dir.path, 'dotfiles'))).toEqual(['ostler.yaml'])
})

test('a file that was changed in the meantime is not touched', async () => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'ostler.yaml')
  await writeFile(path, 'toolBudget: 1\n')
  const { settings, version } = await readAgentSettings(path, home)
  await writeFile(path, 'toolBudget: 1 # mine\n')
  const edited = applyAgentFileEdit({ path, settings: { ...settings, toolBudget: 2 }, env: home, version })
  await expect(edited).rejects.toMatchObject({ code: 'config.changed' })
  expect(await readFile(path, 'utf8')).toBe('toolBudget: 1 # mine\n')
})

test('an invalid result is reported for each field, and not written', async () => {
  const { issues, wanted } = await edit(full, (settings) => ({
    ...server(
      tools(settings, (all) => [...all, { name: '', timeout: 'soon' }]),
      'unknown',
      { enabled: true, mode: 'strict' },
    ),
    toolBudget: 0,
  }))
  expect(issues.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      ['mcpServers', 'unknown'],
      ['toolBudget'],
      ['toolbox', 'tools', 3, 'name'],
      ['toolbox', 'tools', 3, 'timeout'],
    ]),
  )
  await using dir = await openTempDir()
  const path = join(dir.path, 'ostler.yaml')
  await writeFile(path, full)
  const { version } = await readAgentSettings(path, home)
  const applied = applyAgentFileEdit({ path, settings: wanted, env: home, version })
  await expect(applied).rejects.toMatchObject({ code: 'config.invalid', data: { issues } })
  expect(await readFile(path, 'utf8')).toBe(full)
})

test('an invalid file has to be fixed by hand first', async () => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'ostler.yaml')
  for (const text of ['approval: [', 'approval: {mode: never}', '- a']) {
    await writeFile(path, text)
    const { settings, problems } = await readAgentSettings(path, home)
    expect(problems).not.toEqual([])
    await expect(planAgentFileEdit({ path, settings, env: home })).rejects.toMatchObject({
      code: 'config.invalid',
    })
  }
})

test('an unset variable does not prevent other changes', async () => {
  const text =
    'mcpServers:\n  a:\n    type: stdio\n    command: x\n    args: ["${NOT_SET_HERE}"]\n    mode: strict\ntoolBudget: 1\n'
  await using dir = await openTempDir()
  const path = join(dir.path, 'ostler.yaml')
  await writeFile(path, text)
  const { settings, version, problems } = await readAgentSettings(path, home)
  expect(problems).toHaveLength(1)
  await applyAgentFileEdit({ path, settings: { ...settings, toolBudget: 2 }, env: home, version })
  expect(await readFile(path, 'utf8')).toBe(text.replace('toolBudget: 1', 'toolBudget: 2'))
})

test('a text with a variable is shown and written as it is', async () => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'ostler.yaml')
  await writeFile(
    path,
    'model: ${MODEL:-offline}\nsystemPrompt: You are ${NAME:-somebody}.\ntools: { run_command: { timeout: 1m, approval: ask } }\n',
  )
  const { settings, version } = await readAgentSettings(path, home)
  expect(settings).toMatchObject({ model: '${MODEL:-offline}', systemPrompt: 'You are ${NAME:-somebody}.' })
  expect(settings.tools['run_command']).toEqual({ enabled: true, timeout: '1m', approval: 'ask' })
  const wanted = {
    ...settings,
    systemPrompt: 'I am ${NAME:-nobody}.',
    tools: { ...settings.tools, run_command: { enabled: false, timeout: '1m' } },
  }
  await applyAgentFileEdit({ path, settings: wanted, env: home, version })
  expect(await readFile(path, 'utf8')).toBe(
    'model: ${MODEL:-offline}\nsystemPrompt: I am ${NAME:-nobody}.\ntools: { run_command: { timeout: 1m, enabled: false } }\n',
  )
})

test('environment overrides are shown, not written to the file, and reported to win', async () => {
  const env = { OSTLER_APPROVAL__MODE: 'auto', OSTLER_TOOL_BUDGET: '5' }
  await using dir = await openTempDir()
  const path = join(dir.path, 'ostler.yaml')
  await writeFile(path, 'approval:\n  mode: always-ask\n')
  const { settings, overridden } = await readAgentSettings(path, env)
  expect(settings.approval.mode).toBe('auto')
  expect(overridden).toEqual({ 'approval.mode': 'OSTLER_APPROVAL__MODE', toolBudget: 'OSTLER_TOOL_BUDGET' })
  const other = await planAgentFileEdit({ path, settings: { ...settings, storedServers: 'none' }, env })
  expect(other).toMatchObject({ after: 'approval:\n  mode: always-ask\nstoredServers: none\n', notes: [] })
  const same = await planAgentFileEdit({
    path,
    settings: { ...settings, approval: { ...settings.approval, mode: 'trusted-only' } },
    env,
  })
  expect(same.after).toBe('approval:\n  mode: trusted-only\n')
  expect(same.notes).toEqual([
    'OSTLER_APPROVAL__MODE is set in the environment and overrides approval.mode of the file.',
  ])
})

test('a file that cannot be edited minimally is not changed', async () => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'ostler.yaml')
  await writeFile(
    path,
    'toolbox:\n  tools:\n    - &one { name: a, approval: ask }\n    - { <<: *one, name: b }\n',
  )
  const { settings } = await readAgentSettings(path, home)
  const plan = planAgentFileEdit({
    path,
    settings: tools(settings, ([, b]) => (b === undefined ? [] : [b])),
    env: home,
  })
  await expect(plan).rejects.toMatchObject({ code: expect.stringMatching(/^config\./) })
})

const name = fc.oneof(
  fc.stringMatching(/^[a-z][\w:.-]{0,8}$/),
  fc.constantFrom('yes', 'null', '1', '- x', 'a: b', '#x', '*', 'ünï', "it's", '"', '@x', '~'),
)
const toolSetting = fc.record(
  {
    name,
    server: fc.constantFrom('files', 'customers'),
    maxInstances: fc.integer({ min: 1, max: 1000 }),
    timeout: fc.constantFrom('30s', '5m', 'PT3S', 250),
    include: fc.constantFrom('always', 'manual', 'agent'),
    approval: fc.constantFrom('ask', 'allow', 'deny'),
  },
  { requiredKeys: ['name'] },
)
const wantedSettings = fc.record({
  approval: fc.record({
    mode: fc.constantFrom(...approvalModes),
    trustedTools: fc.array(name, { maxLength: 4 }),
    reads: fc.constantFrom(...readApprovals),
  }),
  storedServers: fc.oneof(fc.constantFrom('all', 'none'), fc.array(name, { maxLength: 3 })),
  sessionServers: fc.record(
    {
      mode: fc.constantFrom('strict', 'dynamic'),
      approval: fc.constantFrom('ask', 'allow', 'deny'),
      start: fc.constantFrom('eager', 'known-on-demand'),
      idle: fc.constantFrom('never', '5m', 2_000),
    },
    { requiredKeys: ['mode'] },
  ),
  toolbox: fc.record({
    maxConcurrent: fc.integer({ min: 1, max: 1000 }),
    tools: fc.array(toolSetting, { maxLength: 4 }),
  }),
  toolBudget: fc.integer({ min: 1, max: 500 }),
  model: fc.constantFrom('offline', 'anthropic/some-model'),
  thoughtLevel: fc.constantFrom('low', 'high'),
  systemPrompt: fc.constantFrom('Be brief.', 'Two lines:\none # and a mark\n', '"quoted": yes'),
  tools: fc.record({
    run_command: fc.record(
      {
        enabled: fc.boolean(),
        approval: fc.constantFrom('ask', 'deny'),
        timeout: fc.constantFrom('1m'),
        keepVariables: fc.constant(['A']),
      },
      { requiredKeys: ['enabled'] },
    ),
    write_file: fc.record({ enabled: fc.boolean() }),
  }),
}) as fc.Arbitrary<Omit<AgentSettings, 'mcpServers'>>

test('after any sequence of edits, the file says exactly what was requested, and keeps the rest', async () => {
  await using dir = await openTempDir()
  const servers = {
    files: { enabled: false, mode: 'strict' },
    customers: { enabled: true, mode: 'dynamic', include: 'agent' },
  } as const
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(full, '', agentFileTemplate, full.replaceAll('\n', '\r\n')),
      fc.array(wantedSettings, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('ostler.yaml', 'ostler.yml'),
      async (text, steps, file) => {
        const path = join(dir.path, file)
        await writeFile(path, text)
        const comments = text.match(/# (?:What this|nobody but|The end|The agent file).*/g) ?? []
        for (const step of steps) {
          const before = await readAgentSettings(path, home)
          const mcpServers = 'files' in before.settings.mcpServers ? servers : {}
          const settings = { ...step, mcpServers }
          await applyAgentFileEdit({ path, settings, env: home, version: before.version })
          const after = await readAgentSettings(path, home)
          expect(after.problems).toEqual([])
          expect(isSameSettings(after.settings, settings)).toBe(true)
          const written = await readFile(path, 'utf8')
          for (const comment of comments.filter((one) => !one.includes('nobody')))
            expect(written).toContain(comment)
          // A second edit has nothing to do.
          expect((await planAgentFileEdit({ path, settings: after.settings, env: home })).diff).toBe('')
        }
      },
    ),
    { numRuns: 8 },
  )
})

test('the same in JSON', async () => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'ostler.json')
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        '{}',
        '{\n  "name": "x"\n}\n',
        '{"approval":{"trustedTools":["a","b"]},"toolbox":{"tools":[{"name":"t"}]}}',
        '{\n\t"toolbox": {\n\t\t"tools": []\n\t}\n}\n',
      ),
      fc.array(wantedSettings, { minLength: 1, maxLength: 3 }),
      async (text, steps) => {
        await writeFile(path, text)
        for (const step of steps) {
          const settings = { ...step, mcpServers: {} }
          const { version } = await readAgentSettings(path, home)
          await applyAgentFileEdit({ path, settings, env: home, version })
          JSON.parse(await readFile(path, 'utf8'))
          expect(isSameSettings((await readAgentSettings(path, home)).settings, settings)).toBe(true)
        }
      },
    ),
    { numRuns: 8 },
  )
})
