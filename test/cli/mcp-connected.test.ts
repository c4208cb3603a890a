import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ostlerScript } from '../support/acp-harness.ts'
import { descendantsOf, survivorsAfter, until } from '../support/processes.ts'
import { fixtureServer } from '../support/agent-files.ts'
import { openMcpLab, serverCommand, type McpLab } from './mcp-lab.ts'
import { hasTerminal, runOnTerminal } from './run-on-terminal.ts'
import { runCli } from '../support/run-cli.ts'

let lab: McpLab

beforeAll(async () => {
  lab = await openMcpLab()
  const add = async (name: string, command: readonly string[]) => {
    const { code, stderr } = await lab.run(['add', name, ...command])
    if (code !== 0) throw new Error(stderr)
  }
  await add('all', serverCommand('library-server.mjs'))
  await add('logging', serverCommand('logging-server.mjs'))
  await add('chatty', serverCommand('logging-server.mjs', 'chatty'))
  await add('modern', serverCommand('modern-server.mjs', 'stdio'))
  for (const fault of [
    'exit-at-once',
    'hang-call',
    'slow-progress',
    'protocol-error',
    'error-without-content',
    'show-environment',
  ])
    await add(fault, serverCommand('faulty-server.mjs', fault))
  await add('gone', ['--', 'no-such-command', '--password', 'hidden-value-1'])
  return () => lab[Symbol.asyncDispose]()
})

test('a test reports how long each part took and what the server offers', async () => {
  const { code, stdout, stderr } = await lab.run(['test', 'modern'])
  expect(code).toBe(0)
  expect(stderr).toMatch(/^Runs: {2}\S+ \S+modern-server\.mjs stdio\n/)
  expect(stdout).toMatch(/^Connected to modern 3\.0\.0 in .+: start .+, handshake .+, discovery .+$/m)
  expect(stdout).toMatch(/^It uses MCP 2026-07-28 and offers \d+ tools, 1 resource, 0 prompts\.$/m)
  expect(stdout).toMatch(/^echo +message\? +Echoes$/m)
  const json = await lab.json(['test', 'all'])
  expect(json).toMatchObject({
    ok: true,
    phases: { startMs: expect.any(Number), handshakeMs: expect.any(Number), discoveryMs: expect.any(Number) },
    server: { protocolVersion: '2025-11-25' },
  })
  expect(json['tools']).toContainEqual(
    expect.objectContaining({ name: 'sum', inputSchema: expect.anything() }),
  )
})

test('a failed test reports the reason and the last output of the server', async () => {
  const failed = await lab.run(['test', 'exit-at-once'])
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).toMatch(/^ostler: exit-at-once: .+$/m)
  expect(failed.stderr).toMatch(/^ {2}cannot open database/m)
  const { code, stdout, stderr } = await lab.run(['test', 'gone', '--json'])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    name: 'gone',
    reason: expect.stringContaining('command not found'),
  })
  const shown = await lab.run(['test', 'gone'])
  expect(shown.stderr).toContain('no-such-command --password')
  expect(shown.stderr).not.toContain('hidden-value')
  expect(await lab.run(['test', 'nobody'])).toMatchObject({
    code: 1,
    stderr: "ostler: There is no server named 'nobody'.\n",
  })
})

test.runIf(hasTerminal)(
  'on a terminal, a test shows what runs and does not ask, because the person has stored it',
  async () => {
    const { code, shown } = await runOnTerminal(['mcp', 'test', 'all', '--state-dir', lab.stateDir], {
      env: lab.env,
    })
    expect(code).toBe(0)
    expect(shown).toMatch(/Runs: .*library-server\.mjs[^]*Connected/)
    expect(shown).not.toContain('[y/N]')
  },
)

test('a program gets all of a result, of which the history keeps a part', async () => {
  await lab.run(['add', 'long', ...serverCommand('lingering-server.mjs')])
  const characters = 400_000
  const { code, stdout, stderr } = await lab.run(['call', 'long', 'long', `characters=${characters}`])
  expect({ code, stderr, length: stdout.length }).toEqual({ code: 0, stderr: '', length: characters + 1 })
  const { callId, result } = await lab.json(['call', 'long', 'long', `characters=${characters}`])
  const { content, structured } = result as { content: { text: string }[]; structured: { text: string } }
  expect([content[0]?.text.length, structured.text.length]).toEqual([characters, characters])
  const kept = await runCli(['history', 'show', String(callId), '--json', '--state-dir', lab.stateDir], {
    env: lab.env,
  })
  expect(kept.stdout.length).toBeLessThan(characters)
})

test('the command does not wait for a server that ignores the end of its input', async () => {
  const log = join(lab.path, 'ended.log')
  await lab.run(['add', 'lingering', ...serverCommand('lingering-server.mjs', log)])
  expect(await lab.run(['tools', 'lingering'])).toMatchObject({ code: 0 })
  expect(await readFile(log, 'utf8')).toBe('SIGTERM\n')
})

test('an error names the server', async () => {
  for (const command of [
    ['tools', 'exit-at-once'],
    ['call', 'exit-at-once', 'echo'],
    ['resources', 'exit-at-once'],
  ])
    expect(await lab.run(command)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^ostler: exit-at-once: \S/),
    })
})

test('tools are listed, and one is shown in full', async () => {
  const { stdout } = await lab.run(['tools', 'all'])
  expect(stdout).toMatch(/^TOOL +ARGUMENTS +TOKENS +DESCRIPTION$/m)
  expect(stdout).toMatch(/^sum +a b more\? +\d+ +Adds up$/m)
  expect(stdout).toMatch(/^\d+ tools, [\d,]+ tokens; \d+ tokens while their schemas wait$/m)
  expect(await lab.json(['tools', 'all'])).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ name: 'sum', tokens: expect.any(Number) })]),
  })
  const one = await lab.run(['tools', 'all', 'sum'])
  expect(one.stdout).toMatch(/^sum\nSum\n\nAdds up\nall of them\n\nSize: \d+ tokens\n[^]*"required": \[\n/)
  expect((await lab.run(['tools', 'all', 'paint'])).stdout).toContain('Paints the screen')
  expect(await lab.run(['tools', 'all', 'no\u001b[2Jne'])).toMatchObject({
    code: 1,
    stderr: "ostler: The server 'all' has no tool 'none'.\n",
  })
})

test('a tool that a list leaves out is marked and not called, and an entry that matches nothing is a warning', async () => {
  const [, command = '', ...args] = serverCommand('library-server.mjs')
  const lists = '["paint","sun"]'
  await lab.run(['add', 'some', '--set', `toolAllowlist=${lists}`, '--', command, ...args])
  for (const shown of [await lab.run(['tools', 'some']), await lab.run(['test', 'some'])])
    expect(shown.stdout).toMatch(/^sum +a b more\? +(\d+ +)?\(left out by toolAllowlist\) Adds up$/m)
  expect((await lab.run(['test', 'some'])).stdout).toContain(
    "'some' has 'sun', which matches none of its tools; did you mean 'sum'?",
  )
  expect((await lab.run(['tools', 'some', 'sum'])).stdout).toContain(
    '\nNot offered: left out by toolAllowlist.\n',
  )
  expect(await lab.run(['call', 'some', 'sum', 'a=1', 'b=2'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: "ostler: The tool 'sum' of the server 'some' cannot be called: left out by toolAllowlist.\n",
  })
})

test.each([
  ['KEY=VALUE', ['a=40', 'b=2'], undefined],
  ['one JSON object', ['{"a":40,"b":2}'], undefined],
  ['JSON from standard input', ['-'], '{"a":40,"b":2}'],
])('a tool is called with %s', async (_name, args, input) => {
  const { code, stdout, stderr } = await lab.run(
    ['call', 'all', 'sum', ...args],
    input === undefined ? {} : { input },
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('42')
})

test('a failed call has exit code 1 and its text on stdout; a call that cannot run is reported', async () => {
  const failed = await lab.run(['call', 'protocol-error', 'echo', 'message=x'])
  expect(failed).toMatchObject({ code: 1, stderr: "ostler: the call of 'echo' failed: error\n" })
  expect(failed.stdout).toContain('bad arguments')
  expect(await lab.run(['call', 'error-without-content', 'echo'])).toMatchObject({ code: 1 })
  expect(await lab.run(['call', 'all', 'sum', 'a=1'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("'b'"),
    stderr: "ostler: the call of 'sum' failed: its arguments do not match\n",
  })
  expect(await lab.run(['call', 'all', 'sum', 'a=x', 'b=2'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`'a' must be a number, not "x"`),
  })
  expect(await lab.run(['call', 'all', 'sun'])).toMatchObject({
    code: 1,
    stderr: "ostler: The server 'all' has no tool 'sun'; did you mean 'sum'?\n",
  })
  expect(await lab.run(['call', 'all', 'nothing'])).toMatchObject({
    code: 1,
    stderr: "ostler: The server 'all' has no tool 'nothing'.\n",
  })
  expect(await lab.run(['call', 'exit-at-once', 'echo'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^ostler: /),
  })
  expect(await lab.run(['call', 'hang-call', 'echo', '--timeout', '300ms'])).toMatchObject({ code: 1 })
})

test.runIf(hasTerminal)('on a terminal, progress is shown and then removed', async () => {
  const { code, shown } = await runOnTerminal(
    ['mcp', 'call', 'slow-progress', 'echo', '--state-dir', lab.stateDir],
    { env: lab.env },
  )
  expect(code).toBe(0)
  expect(shown).toMatch(/slow-progress: echo: .*step \d/)
  expect(shown.trimEnd().endsWith('\r\u001b[Kfinished')).toBe(true)
})

test('Ctrl-C cancels a call, notifies the server, and leaves no process', async () => {
  const log = join(lab.path, 'cancelled.log')
  await lab.run(['add', 'cancelled', ...serverCommand('faulty-server.mjs', 'log-cancel', log)])
  const child = spawn(
    process.execPath,
    [ostlerScript, 'mcp', 'call', 'cancelled', 'echo', '--state-dir', lab.stateDir],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ...lab.env },
    },
  )
  const closed = new Promise((resolve) => child.on('close', resolve))
  const running = async () =>
    (await historyOf(lab)).some(({ server, status }) => server === 'cancelled' && status === 'running')
  await until('the call', running)
  const started = await descendantsOf(child.pid!)
  expect(started.length).toBeGreaterThan(0)
  child.kill('SIGINT')
  expect(await closed).toBe(130)
  expect(await survivorsAfter(started, 5_000)).toEqual([])
  expect(await readFile(log, 'utf8')).not.toBe('')
  expect((await historyOf(lab)).find(({ server }) => server === 'cancelled')).toMatchObject({
    status: 'cancelled',
  })
})

async function historyOf({ stateDir, env }: McpLab): Promise<{ server: string; status: string }[]> {
  const { stdout } = await runCli(['history', '--json', '--state-dir', stateDir], { env })
  return (JSON.parse(stdout) as { calls: { server: string; status: string }[] }).calls
}

test('text of a server is printed unchanged for a program, and without control characters on a terminal', async () => {
  expect((await lab.run(['call', 'all', 'paint'])).stdout).toBe('\u001b[2Jpainted\u202e\n')
  expect((await lab.run(['call', 'all', 'paint', '--json'])).stdout).toContain(
    String.raw`\u001b[2Jpainted\u202e`,
  )
  expect((await lab.run(['call', 'all', 'structure'])).stdout).toBe('{\n  "shape": "square"\n}\n')
  if (!hasTerminal) return
  const onTerminal = async (...args: readonly string[]) =>
    (await runOnTerminal(['mcp', ...args, '--state-dir', lab.stateDir], { env: lab.env })).shown.replaceAll(
      /\r[^\r\n]*\p{Cc}\[K/gu,
      '',
    )
  expect(await onTerminal('call', 'all', 'paint')).toBe('painted\n')
  expect(await onTerminal('read', 'all', 'library://poem')).toBe('Roses are red\n')
  expect(await onTerminal('read', 'all', 'library://dot')).toBe(
    'ostler: The resource is not text. Use --output to write it to a file.\n',
  )
})

test('resources are listed and read', async () => {
  const { stdout } = await lab.run(['resources', 'all'])
  expect(stdout).toMatch(/^URI +NAME +TYPE +DESCRIPTION$/m)
  expect(stdout).toMatch(/^library:\/\/poem +poem +text\/plain +A poem$/m)
  expect(await lab.json(['resources', 'all'])).toMatchObject({
    resources: [{ uri: 'library://poem' }, { uri: 'library://dot' }],
  })
  expect(await lab.run(['read', 'all', 'library://poem'])).toEqual({
    code: 0,
    stdout: 'Roses are red\n',
    stderr: '',
  })
  expect(await lab.json(['read', 'all', 'library://poem'])).toMatchObject({
    contents: [{ type: 'resource', resource: { uri: 'library://poem' } }],
  })
  const file = join(lab.path, 'dot.png')
  expect(await lab.run(['read', 'all', 'library://dot', '--output', file])).toEqual({
    code: 0,
    stdout: '',
    stderr: `Wrote ${file}\n`,
  })
  expect([...(await readFile(file))]).toEqual([137, 80, 78, 71, 0, 255])
  expect(await lab.run(['read', 'all', 'library://dot', '--output', file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--force'),
  })
  expect(await lab.run(['read', 'all', 'library://poem', '-o', '-'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Roses'),
    stderr: '',
  })
  expect(
    await lab.run(['read', 'all', 'library://dot', '-o', join(lab.path, 'no', 'dot.png')]),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no such file or directory'),
  })
  expect(await lab.run(['read', 'all', 'nowhere://at-all'])).toMatchObject({ code: 1, stdout: '' })
})

test('prompts are listed and filled in', async () => {
  const { stdout } = await lab.run(['prompts', 'all'])
  expect(stdout).toMatch(/^PROMPT +ARGUMENTS +DESCRIPTION$/m)
  expect(stdout).toMatch(/^greet +Says hello$/m)
  expect(stdout).toMatch(/^travel +city by\?$/m)
  expect((await lab.run(['prompts', 'all', 'greet'])).stdout).toBe('user\nHello.\n')
  expect(await lab.json(['prompts', 'all', 'travel', 'city=Rome'])).toMatchObject({
    messages: [{ role: 'user', content: { text: 'To Rome by foot.' } }],
  })
  expect(await lab.run(['prompts', 'all', 'travel'])).toMatchObject({ code: 1, stdout: '' })
  expect(await lab.run(['prompts', 'show-environment'])).toMatchObject({ code: 0, stdout: 'No prompts.\n' })
})

test('missing arguments of a prompt are named, with the values that the server suggests', async () => {
  const { code, stderr } = await lab.run(['prompts', 'logging', 'travel'])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "ostler: The prompt 'travel' needs: city (Lisbon, Lima, Paris). Add KEY=VALUE for each.\n",
  })
  expect((await lab.run(['prompts', 'logging', 'travel', 'city=Lima'])).stdout).toContain('To Lima by foot.')
})

test('a test shows what the server logged and wrote to stderr', async () => {
  const { stdout } = await lab.run(['test', 'chatty'])
  expect(stdout).toContain('It logged:\n  warning: start: low on memory')
  expect(stdout).toContain('Its stderr output:\n  listening')
  const { log } = (await lab.json(['test', 'chatty'])) as { log: object }
  expect(log).toMatchObject({
    level: 'warning',
    entries: [{ level: 'warning', logger: 'start', text: 'low on memory' }],
    stderr: ['listening'],
  })
})

test("a check shows a server's author both handshakes, what models do not see, and the calls that only read", async () => {
  const all = await lab.json(['check', '--', ...serverCommand('library-server.mjs').slice(1)])
  expect(all).toMatchObject({
    ok: true,
    problems: [],
    generations: [
      { generation: 'legacy', isConnected: true, protocolVersion: '2025-11-25', server: { name: 'library' } },
      { generation: '2026-07-28', isConnected: false },
    ],
    offer: {
      capabilities: expect.arrayContaining(['tools', 'prompts']),
      resources: [{ uri: 'library://poem' }, { uri: 'library://dot' }],
      calls: [],
    },
  })
  const modern = await lab.run(['check', 'modern'])
  expect(modern).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^up to 2025-11-25 +not connected: .+\nfrom 2026-07-28 +modern 3\.0\.0, MCP 2026-07-28/m,
    ),
  })
  const noted = await lab.json(['check', '--', process.execPath, fixtureServer('reading-server.mjs')])
  expect(noted).toMatchObject({
    offer: {
      calls: [
        { tool: 'now', outcome: 'success', contents: ['text'] },
        { tool: 'sad', outcome: 'tool_error' },
      ],
    },
    schemas: expect.arrayContaining([
      {
        vendor: 'google',
        tool: 'write',
        losses: [{ path: 'properties.text', keyword: 'pattern', change: 'dropped' }],
      },
    ]),
  })
  const gone = await lab.run(['check', 'exit-at-once'])
  expect(gone).toMatchObject({ code: 1, stdout: expect.stringContaining('- the server exited with code') })
  expect((await lab.run(['check'])).code).toBe(2)
  expect((await lab.run(['check', 'all', 'modern'])).code).toBe(2)
  expect(await lab.list()).not.toContainEqual(expect.objectContaining({ name: 'server' }))
})
