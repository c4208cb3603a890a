import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { agentFilePath, filesystemServer, fixtureServer } from '../support/agent-files.ts'
import { processesWithArgument } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { runCli } from '../support/run-cli.ts'
import { runOstler } from './run-ostler.ts'

const node = JSON.stringify(process.execPath)
/** A real server with one tool, `NAME_tool`, in YAML's flow style. */
const slow = (name: string, rest: string, ms = 0) =>
  `{ type: stdio, command: ${node}, args: [${JSON.stringify(fixtureServer('slow-start.mjs'))}, '${ms}', ${name}], ${rest} }`

interface CheckOptions {
  readonly args?: readonly string[]
  readonly env?: Record<string, string>
}

/** Runs `ostler check` on a file in its own folder, which is removed from the output. */
async function openCheck(text: string) {
  const dir = await openTempDir()
  const file = join(dir.path, 'agent.yaml')
  await writeFile(file, text)
  const run = async ({ args = [], env = {} }: CheckOptions = {}) => {
    const flags = ['check', '--agent', file, '--state-dir', join(dir.path, 'state'), ...args]
    const { code, stdout, stderr } = await runCli(flags, {
      env: { HOME: dir.path, XDG_CONFIG_HOME: dir.path, ...env },
      cwd: dir.path,
    })
    return {
      code,
      stdout: stdout.replaceAll(`${dir.path}/`, ''),
      stderr: stderr.replaceAll(`${dir.path}/`, ''),
    }
  }
  return {
    path: dir.path,
    run,
    async json(options: CheckOptions = {}) {
      const { code, stdout, stderr } = await run({ ...options, args: ['--json', ...(options.args ?? [])] })
      expect(stderr).toBe('')
      return { code, report: JSON.parse(stdout) as Record<string, unknown> }
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  }
}

test('reports which file applies, and what named it', async () => {
  await using dir = await openTempDir()
  const [flag, variable, own] = ['flag.yaml', 'variable.yaml', 'ostler/ostler.yaml'].map((name) =>
    join(dir.path, name),
  )
  await mkdir(join(dir.path, 'ostler'))
  for (const file of [flag, variable, own])
    await writeFile(file!, `name: ${file!.slice(dir.path.length + 1).replace(/\W/g, '-')}\n`)
  const config = { XDG_CONFIG_HOME: dir.path }
  const check = async (args: readonly string[], env: Record<string, string>) => {
    const text = await runCli(['check', '--state-dir', join(dir.path, 'state'), ...args], { env })
    const json = await runCli(['check', '--json', '--state-dir', join(dir.path, 'state'), ...args], { env })
    expect(text).toMatchObject({ code: 0, stderr: '' })
    const { file, foundBy, agent } = JSON.parse(json.stdout) as Record<string, unknown>
    return [text.stdout.split('\n')[0], file, foundBy, agent]
  }
  const agent = (name: string) => ({ name, approvalMode: 'always-ask' })
  expect(await check(['--agent', flag!], { ...config, OSTLER_AGENT: variable! })).toEqual([
    `Agent file:  ${flag} (named by --agent)`,
    flag,
    'flag',
    agent('flag-yaml'),
  ])
  expect(await check([], { ...config, OSTLER_AGENT: variable! })).toEqual([
    `Agent file:  ${variable} (named by OSTLER_AGENT)`,
    variable,
    'OSTLER_AGENT',
    agent('variable-yaml'),
  ])
  expect(await check([], config)).toEqual([
    `Agent file:  ${own} (default location)`,
    own,
    'default',
    agent('ostler-ostler-yaml'),
  ])
  expect(await check([], {})).toEqual([
    'Agent file:  not found; using the built-in agent',
    null,
    'none',
    agent('default'),
  ])
  expect(existsSync(join(dir.path, 'state'))).toBe(false)
})

test('a file in the working directory is not used', async () => {
  await using dir = await openTempDir()
  for (const name of [
    'ostler.yaml',
    '.ostler.yaml',
    '.ostler/ostler.yaml',
    'ostler/ostler.yaml',
    '.config/ostler/ostler.yaml',
  ]) {
    await mkdir(dirname(join(dir.path, name)), { recursive: true })
    await writeFile(join(dir.path, name), 'colour: red\n')
  }
  // A process, because only it has this working directory.
  const { code, stdout } = await runOstler(['check', '--json', '--state-dir', join(dir.path, 'state')], {
    cwd: dir.path,
    env: { XDG_CONFIG_HOME: join(dir.path, 'config') },
  })
  expect({ code, foundBy: (JSON.parse(stdout) as { foundBy: string }).foundBy }).toEqual({
    code: 0,
    foundBy: 'none',
  })
})

test('all problems of a file are reported at once, with exit code 1', async () => {
  await using check = await openCheck(
    'model: sonnet\nmaxStep: 3\nmcpServers:\n  customers: { type: http, url: https://c.example, mode: loose }\n',
  )
  const { code, stdout, stderr } = await check.run()
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: 'Agent file:  agent.yaml (named by --agent)\n\nThe agent would not start: 3 problems.\n',
  })
  expect(stderr).toContain("agent.yaml:2:1: maxStep: unknown field; did you mean 'maxSteps'?")
  expect(stderr).toContain(
    'agent.yaml:4:52: mcpServers.customers.mode: found "loose"; expected strict or dynamic',
  )
  expect(stderr).toContain('agent.yaml:1:1: "sonnet" is not a model')
  expect(stderr.match(/^ostler: /gm)).toHaveLength(3)
  expect(stderr).not.toContain('    at ')
  const json = await check.json()
  expect(json).toMatchObject({
    code: 1,
    report: {
      ok: false,
      agent: null,
      servers: [],
      problems: [
        expect.stringContaining('maxSteps'),
        expect.stringContaining('mode'),
        expect.stringContaining('sonnet'),
      ],
    },
  })
})

test('a missing file is reported, with exit code 1', async () => {
  const { code, stdout, stderr } = await runCli(['check', '--agent', '/nowhere/ostler.yaml'])
  expect(code).toBe(1)
  expect(stdout).toContain('/nowhere/ostler.yaml (named by --agent)')
  expect(stderr).toContain('/nowhere/ostler.yaml cannot be read')
})

test('without --connect nothing is started', async () => {
  await using check = await openCheck(`
localTools: [./tools.mjs]
mcpServers:
  touch: { type: stdio, command: touch, args: [started], mode: strict }
  off: { type: http, url: https://off.example/mcp, mode: strict, enabled: false }
  readme: { command: touch, args: [started] }
`)
  await writeFile(
    join(check.path, 'tools.mjs'),
    "import { writeFileSync } from 'node:fs'\nwriteFileSync('loaded', '')\n",
  )
  const { code, stdout, stderr } = await check.run()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    /^SERVER {2}MODE {5}STATUS {9}RUNS\ntouch {3}strict {3}not connected {2}touch started\noff {5}strict {3}disabled {7}https:/m,
  )
  expect(stdout).toContain('--connect starts them')
  expect(stdout).toContain(
    'Note: agent.yaml:6:3: mcpServers.readme: counts as mode: dynamic with the default limits',
  )
  expect(['started', 'loaded'].filter((name) => existsSync(join(check.path, name)))).toEqual([])
})

test('built-in tools are listed with what happens to their calls, and the setting that decides', async () => {
  await using check = await openCheck(`tools:
  run_command: false
  read_file: { approval: ask }
toolbox:
  tools:
    - { name: edit_file, approval: allow }
`)
  const { stdout } = await check.run({ env: { OSTLER_TOOLS__FETCH_URL__ENABLED: 'false' } })
  expect(stdout).toMatch(/^BUILT-IN TOOL +CALLS ARE +BY$/m)
  expect(stdout).toMatch(/^read_file +asked about +tool:ask, agent\.yaml:3$/m)
  expect(stdout).toMatch(/^list_directory +allowed +reads$/m)
  expect(stdout).toMatch(/^edit_file +allowed +tool:allow, agent\.yaml:6$/m)
  expect(stdout).toMatch(/^run_command +switched off +tools, agent\.yaml:2$/m)
  expect(stdout).toMatch(/^fetch_url +switched off +tools, OSTLER_TOOLS__FETCH_URL__ENABLED$/m)
  const { report } = await check.json({
    env: { OSTLER_APPROVAL__MODE: 'read-only', OSTLER_TOOLS__EDIT_FILE: 'false' },
  })
  expect(report['builtinTools']).toEqual(
    expect.arrayContaining([
      { name: 'write_file', call: 'deny', rule: 'mode:read-only' },
      { name: 'edit_file', call: 'off', rule: 'tools', place: 'OSTLER_TOOLS__EDIT_FILE' },
      { name: 'update_plan', call: 'allow', rule: 'effect:none' },
    ]),
  )
})

test('mistakes in the settings of built-in tools are all reported, with what was probably meant', async () => {
  await using check = await openCheck(`tools:
  run_comand: false
  read_file: { aproval: ask }
  write_file: maybe
  edit_file: { approval: sometimes, maxInstances: 0 }
  fetch_url: { timeout: soon, timeoutMax: 5m }
`)
  const { code, stderr } = await check.run()
  expect(code).toBe(1)
  expect(stderr.trim().split('\n')).toEqual([
    "ostler: agent.yaml:2:3: tools.run_comand: unknown field; did you mean 'run_command'?",
    "ostler: agent.yaml:3:16: tools.read_file.aproval: unknown field; did you mean 'approval'?",
    'ostler: agent.yaml:4:3: tools.write_file: found "maybe"; expected true, false, or the fields of the tool',
    'ostler: agent.yaml:5:37: tools.edit_file.maxInstances: found 0; expected at least 1',
    'ostler: agent.yaml:5:16: tools.edit_file.approval: found "sometimes"; expected one of: allow, ask, deny',
    expect.stringContaining('agent.yaml:6:16: tools.fetch_url.timeout: expected a duration'),
    expect.stringContaining("tools.fetch_url.timeoutMax: unknown field; did you mean 'timeout'?"),
  ])
  await using empty = await openCheck('name: reviewer\n')
  const { stderr: ofVariable } = await empty.run({ env: { OSTLER_TOOLS__RUN_COMAND: 'false' } })
  expect(ofVariable).toContain(
    "OSTLER_TOOLS__RUN_COMAND: there is no field 'RUN_COMAND'; did you mean 'run_command'?",
  )
})

test('--connect shows each server, its tools, and the origin of each setting', async () => {
  await using check = await openCheck(`
approval: { mode: trusted-only }
toolbox:
  tools:
    - name: read_text_file
      maxInstances: 50
    - name: write_file
      server: files
      approval: deny
    - name: slow_tool
mcpServers:
  files:
    type: stdio
    command: ${node}
    args: [${JSON.stringify(filesystemServer)}, .]
    mode: dynamic
    include: agent
    defaultToolConfig:
      timeout: PT1M
  slow: ${slow('slow', 'mode: strict')}
`)
  const env = { OSTLER_MCP_SERVERS__FILES__DEFAULT_TOOL_CONFIG__MAX_INSTANCES: '7' }
  const { code, report } = await check.json({ args: ['--connect'], env })
  expect(code).toBe(0)
  expect(report).toMatchObject({
    ok: true,
    connected: true,
    agent: { name: 'default', approvalMode: 'trusted-only' },
    problems: [],
  })
  const [files, slowServer] = report['servers'] as { tools: { name: string }[] }[]
  expect(files).toMatchObject({
    name: 'files',
    type: 'stdio',
    mode: 'dynamic',
    required: false,
    place: 'agent.yaml:12:3',
    state: 'connected',
  })
  expect(files).toMatchObject({ connectMs: expect.any(Number) })
  const tool = (name: string) => files?.tools.find((candidate) => candidate.name === name)
  const timeoutMs = { value: 60_000, source: 'mcpServers.files.defaultToolConfig', place: 'agent.yaml:19:7' }
  const include = { value: 'agent', source: 'mcpServers.files.include', place: 'agent.yaml:17:5' }
  const byMode = { value: null, source: 'approval.mode' }
  expect(tool('read_text_file')).toEqual({
    name: 'read_text_file',
    maxInstances: { value: 50, source: 'toolbox.tools[0]', place: 'agent.yaml:6:7' },
    timeoutMs,
    include,
    approval: byMode,
  })
  expect(tool('write_file')).toMatchObject({
    maxInstances: {
      value: 7,
      source: 'mcpServers.files.defaultToolConfig',
      place: 'OSTLER_MCP_SERVERS__FILES__DEFAULT_TOOL_CONFIG__MAX_INSTANCES',
    },
    approval: { value: 'deny', source: 'toolbox.tools[1]', place: 'agent.yaml:9:7' },
  })
  const builtIn = (value: unknown) => ({ value, source: 'built-in' })
  expect(slowServer?.tools).toEqual([
    {
      name: 'slow_tool',
      maxInstances: builtIn(5),
      timeoutMs: builtIn(30_000),
      include: builtIn('always'),
      approval: byMode,
    },
  ])

  const text = await check.run({ args: ['--connect'], env })
  expect(text).toMatchObject({ code: 0, stderr: '' })
  for (const line of [
    /^SERVER {2}MODE {5}STATUS {5}TIME +TOOLS {2}RUNS$/m,
    /^slow {4}strict {3}connected {2}\d+ ms +1 +\S+/m,
    /^ {2}read_text_file +50 \[\d+\] +1 min \[\d+\] +agent \[\d+\] +by mode \[\d+\]$/m,
    /^ {2}\[\d+\] toolbox\.tools\[0\], agent\.yaml:6$/m,
    /^The agent would start\.$/m,
  ])
    expect(text.stdout).toMatch(line)
  expect(text.stdout).not.toContain('\u001b')
})

test('no secret is shown', async () => {
  await using check = await openCheck(`
providers: { work: { type: openai, apiKey: provider-secret-1 } }
mcpServers:
  one: { type: stdio, command: no-such-command, args: [--token=argument-secret-1], env: { PLAIN: variable-secret-1 }, mode: strict }
  two: { type: http, url: 'http://user:url-secret-1@127.0.0.1:9/mcp?key=query-secret-1', headers: { X-Plain: header-secret-1 }, mode: strict, retryAttempts: 0 }
  three: { type: http, url: 'http://127.0.0.1:9/mcp', auth: { type: bearer, token: '\${TOKEN}' }, mode: strict, retryAttempts: 0 }
`)
  for (const args of [[], ['--connect'], ['--connect', '--json']]) {
    const { stdout, stderr } = await check.run({ args, env: { TOKEN: 'bearer-secret-1' } })
    expect(stdout).toContain('http://127.0.0.1:9/mcp')
    expect(stdout + stderr).not.toMatch(/secret-1|bearer-/)
  }
})

test('a server that does not connect is reported; a required one prevents the start of the agent', async () => {
  const server = (rest: string) =>
    `mcpServers:\n  gone: { type: stdio, command: no-such-command, mode: strict${rest} }\n`
  await using optional = await openCheck(`toolbox: { tools: [{ name: no_tool }] }\n${server('')}`)
  const skipped = await optional.run({ args: ['--connect'] })
  expect(skipped.code).toBe(0)
  const unused =
    "Tool 'no_tool' is configured in toolbox.tools but no MCP server of the agent offers it (not connected: gone)"
  expect(skipped.stdout + skipped.stderr).toContain(unused)
  expect(skipped.stdout).toMatch(/^gone {4}strict {2}failed .*no-such-command$/m)
  expect(skipped.stdout).toMatch(/^Failed: gone: command not found/m)

  await using required = await openCheck(server(', required: true'))
  const stopped = await required.run({ args: ['--connect'] })
  expect(stopped.code).toBe(1)
  expect(stopped.stderr).toContain(
    "ostler: Failed to connect to MCP server 'gone' at no-such-command\nError: command not found",
  )
  expect(stopped.stderr).toContain(
    'The application cannot start without connecting to all configured MCP servers.',
  )
  expect(await required.json({ args: ['--connect'] })).toMatchObject({
    code: 1,
    report: {
      ok: false,
      servers: [{ state: 'failed', reason: expect.stringContaining('command not found') }],
    },
  })
})

test('every strict violation is reported with the same text as at a start', async () => {
  await using check = await openCheck(`
toolbox: { tools: [{ name: other_tool }] }
mcpServers:
  one: ${slow('first', 'mode: strict')}
  two: ${slow('second', 'mode: strict')}
`)
  const { code, stderr } = await check.run({ args: ['--connect'] })
  expect(code).toBe(1)
  for (const [server, tool] of [
    ['one', 'first_tool'],
    ['two', 'second_tool'],
  ])
    expect(stderr)
      .toContain(`ostler: Tool '${tool}' from MCP server '${server}' is not configured in the toolbox.

MCP Server: ${server}
Mode: strict
Missing Tool: ${tool}

Configured tools: [other_tool]

To resolve:
1. Add the tool to toolbox.tools in your configuration, OR
2. Change the MCP server mode to 'dynamic' and provide defaultToolConfig`)
  expect((await check.json({ args: ['--connect'] })).report['problems']).toHaveLength(2)
})

test('warns of servers without tools, of equal names, of bare names, and of entries that match nothing', async () => {
  await using check = await openCheck(`
approval: { trustedTools: [same_tool] }
toolbox:
  tools:
    - { name: smae_tool }
    - { name: same_tool, server: on }
    - { name: gone_tool, server: one }
mcpServers:
  one: ${slow('same', 'mode: dynamic, defaultToolConfig: {}')}
  two: ${slow('same', 'mode: dynamic, defaultToolConfig: {}')}
  empty: { type: stdio, command: ${node}, args: [${JSON.stringify(fixtureServer('changing-server.mjs'))}, tools.json], mode: strict }
`)
  await writeFile(join(check.path, 'tools.json'), '[]')
  // The server looks for tools.json in the folder in which it starts.
  const { code, report } = await check.json({ args: ['--connect'] })
  expect(code).toBe(0)
  expect(report['warnings']).toEqual([
    expect.stringContaining("trustedTools: 'same_tool' trusts the tool of that name on every server"),
    "Tool 'gone_tool' was configured but is no longer available from MCP server 'one'; did you mean 'same_tool'?",
    expect.stringMatching(/^MCP server 'empty' at .+ returned no tools$/),
    "Tool 'same_tool' is offered by 2 MCP servers (one, two); each is called by its server's name",
    "agent.yaml:5:7: Tool 'smae_tool' is configured in toolbox.tools but no MCP server of the agent offers it; did you mean 'same_tool'?",
    "agent.yaml:6:7: Tool 'same_tool' is configured for the server 'on', which the agent does not have; did you mean 'one'?",
  ])
})

test('with --connect, local tools are checked, and are strict', async () => {
  const modules = `localTools: [${JSON.stringify(agentFilePath('sum-numbers.mjs'))}]\n`
  await using configured = await openCheck(
    `${modules}toolbox:\n  tools:\n    - name: sum_numbers\n      maxInstances: 20\n`,
  )
  const { code, report } = await configured.json({ args: ['--connect'] })
  expect(code).toBe(0)
  expect(report).toMatchObject({
    localTools: [
      {
        name: 'sum_numbers',
        maxInstances: { value: 20, source: 'toolbox.tools[0]', place: 'agent.yaml:5:7' },
      },
    ],
    warnings: [],
  })
  await using gone = await openCheck('localTools: [./gone.mjs]\n')
  for (const args of [[], ['--connect']])
    expect((await gone.run({ args })).stderr).toBe(
      'ostler: The module gone.mjs of localTools cannot be loaded: there is no such file\n',
    )
  await using missing = await openCheck(modules)
  expect(await missing.run({ args: ['--connect'] })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("ostler: Local tool 'sum_numbers' is not configured in the toolbox."),
  })
})

test('the documented local tool loads in any folder, and is only said to load once it did', async () => {
  await using check = await openCheck(
    'localTools: [./sum-numbers.mjs]\ntoolbox: { tools: [{ name: sum_numbers }] }\n',
  )
  const example = await readFile(agentFilePath('sum-numbers.mjs'), 'utf8')
  await writeFile(join(check.path, 'sum-numbers.mjs'), example)
  const args = [
    'check',
    '--json',
    '--agent',
    join(check.path, 'agent.yaml'),
    '--state-dir',
    join(check.path, 'state'),
  ]
  const report = async (more: readonly string[] = []) => {
    const { code, stdout } = await runOstler([...args, ...more], { cwd: check.path })
    return { code, ...(JSON.parse(stdout) as object) }
  }
  expect(await report()).toMatchObject({
    code: 0,
    localTools: [],
    notes: [expect.stringContaining('sum-numbers.mjs of localTools was not loaded')],
  })
  expect(await report(['--connect'])).toMatchObject({
    code: 0,
    problems: [],
    notes: [],
    localTools: [{ name: 'sum_numbers' }],
  })

  await writeFile(join(check.path, 'sum-numbers.mjs'), example.replace('@ostler/agent-api', '@ostler/other'))
  expect(await report(['--connect'])).toMatchObject({
    code: 1,
    problems: [expect.stringContaining("Cannot find package '@ostler/other'")],
  })
})

test('an alias inside its own anchor is reported with its place', async () => {
  await using check = await openCheck('name: &self [reviewer, *self]\n')
  expect(await check.run()).toMatchObject({
    code: 1,
    stderr: 'ostler: agent.yaml:1:24: *self is inside of &self, which has no end\n',
  })
})

test('no server is left after the command', async () => {
  const marker = `marker-${process.pid}-${Date.now()}`
  await using check = await openCheck(
    `mcpServers:\n  one: ${slow(marker, 'mode: dynamic, defaultToolConfig: {}')}\n`,
  )
  const { stdout } = await check.run({ args: ['--connect'] })
  expect(stdout).toContain(`${marker}_tool`)
  expect(await processesWithArgument(marker)).toEqual([])
})

test('unusable state is a warning: the agent starts without it', async () => {
  await using check = await openCheck('name: mine\n')
  await mkdir(join(check.path, 'state'))
  await writeFile(join(check.path, 'state', 'ostler.db'), 'this is no database, however long one looks at it')
  const { code, report } = await check.json()
  expect(code).toBe(0)
  expect(report).toMatchObject({
    state: { grants: null },
    warnings: [expect.stringContaining('was damaged')],
  })
})

test('reports which model would be used, and whether it could be asked', async () => {
  await using check = await openCheck('model: anthropic/claude-x\n')
  const key = { ANTHROPIC_API_KEY: 'key-value-1' }
  expect(await check.json({ env: key })).toMatchObject({
    code: 0,
    report: { model: { id: 'anthropic/claude-x', ready: true } },
  })
  const without = await check.json()
  // Another model can be chosen in the editor.
  expect(without).toMatchObject({
    code: 0,
    report: { model: { ready: false, reason: expect.stringContaining('ANTHROPIC_API_KEY') } },
  })
  expect((await check.run()).stdout).toMatch(
    /^Model: +anthropic\/claude-x \(not usable: .*ANTHROPIC_API_KEY/m,
  )
  const unknown = await check.json({ env: { OSTLER_MODEL: 'nope/x' } })
  expect(unknown).toMatchObject({
    code: 1,
    report: { ok: false, problems: [expect.stringContaining('There is no provider "nope"')] },
  })
  expect((await check.run({ env: { ...key, OSTLER_MODEL: 'offline' } })).stdout).toMatch(/^Model: +offline$/m)
})

test('--connect reports a listed prompt that a server does not offer', async () => {
  const library = `{ type: stdio, command: ${node}, args: [${JSON.stringify(fixtureServer('library-server.mjs'))}], mode: dynamic, defaultToolConfig: {} `
  await using check = await openCheck(`mcpServers:\n  books: ${library}, prompts: [greet, travl] }\n`)
  const { code, report } = await check.json({ args: ['--connect'] })
  expect(code).toBe(0)
  expect(report['warnings']).toEqual([
    "Prompt 'travl' is listed for MCP server 'books', which does not offer it; did you mean 'travel'?",
  ])
})

test('a small model that cannot be used is a warning', async () => {
  await using check = await openCheck(`models: { small: antropic/claude-haiku-5-5 }\n`)
  const { code, report } = await check.json()
  expect(code).toBe(0)
  expect(report['warnings']).toEqual([
    expect.stringMatching(/^agent\.yaml:1:\d+: There is no provider "antropic"\./),
  ])
})
