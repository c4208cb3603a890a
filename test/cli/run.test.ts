import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Script } from '../support/loopback-model/index.ts'
import { descendantsOf, isAlive, processesWithArgument, until } from '../support/processes.ts'
import { startCli } from '../support/run-cli.ts'
import { sumServer } from '../support/acp-scripted.ts'
import { ostlerScript } from '../support/acp-harness.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { eventsIn, openRunLab } from './run-lab.ts'
import { runOstler } from './run-ostler.ts'
import { hasTerminal, runLineOnTerminal, runOnTerminal } from './run-on-terminal.ts'

/** Runs one command, then repeats its output. */
const touchThenSay: Script = ({ messages }) =>
  messages.at(-1)?.role === 'tool'
    ? { text: 'It is done.' }
    : { text: 'I will make it.', toolCalls: [{ name: 'run_command', args: { command: 'touch made' } }] }

test('the answer is all that is on stdout', async () => {
  await using lab = await openRunLab(touchThenSay)
  const { code, stdout, stderr } = await lab.run(['run', 'make a file', '--approve', 'auto'])
  expect(stdout).toBe('It is done.\n')
  expect(stderr).toBe('I will make it.\n✓ touch made\n')
  expect(code).toBe(0)
  expect(existsSync(join(lab.path, 'made'))).toBe(true)
})

test('--json prints one event a line', async () => {
  await using lab = await openRunLab(touchThenSay)
  const { code, stdout, stderr } = await lab.run(['run', 'make', 'a', 'file', '--approve', 'auto', '--json'])
  const events = eventsIn(stdout)
  expect(events[0]).toMatchObject({
    type: 'session',
    version: 1,
    cwd: lab.path,
    model: lab.model.modelId,
    mode: 'auto',
    continued: false,
  })
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'tool_call', tool: 'run_command', title: 'touch made' }),
  )
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool_update', status: 'completed' }))
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'usage', contextUsed: expect.any(Number) as number }),
  )
  expect(events.at(-1)).toEqual({ type: 'end', reason: 'end_turn', exitCode: 0, answer: 'It is done.' })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(lab.model.requests[0]?.messages.at(-1)).toMatchObject({ role: 'user' })
})

test('a prompt from standard input, after a typed one', async () => {
  await using lab = await openRunLab()
  const { code } = await lab.run(['run', 'Review this:', '-'], { input: 'the change, with ./shot.png\n' })
  expect(code).toBe(0)
  expect(JSON.stringify(lab.model.requests[0]?.messages)).toMatch(/Review this:.*the change, with/)
})

test('an image that is named in the prompt is sent, but none that is named in standard input', async () => {
  await using lab = await openRunLab()
  await writeFile(join(lab.path, 'a shot.png'), Buffer.from('iVBORw0KGgo=', 'base64'))
  await lab.run(['run', String.raw`What is in a\ shot.png and in none.png?`])
  expect(JSON.stringify(lab.model.requests[0]?.body)).toContain('"image/png"')
  const before = lab.model.requests.length
  await lab.run(['run', '-'], { input: String.raw`What is in a\ shot.png?` })
  expect(JSON.stringify(lab.model.requests[before]?.body)).not.toContain('"image/png"')
})

test('without a terminal, a call is rejected with a message and an exit code', async () => {
  await using lab = await openRunLab(touchThenSay)
  const { code, stdout, stderr } = await lab.run(['run', 'make a file'])
  expect(stdout).toBe('It is done.\n')
  expect(stderr).toContain(
    'ostler: rejected, because there is no terminal to ask on: touch made. Use --approve to decide beforehand.\n',
  )
  expect(stderr).toContain('✗ touch made\n')
  expect(code).toBe(6)
  expect(existsSync(join(lab.path, 'made'))).toBe(false)
  expect(JSON.stringify(lab.model.requests[1]?.messages)).toContain(
    'This call is not allowed (nobody could be asked).',
  )
  expect((await lab.run(['history', '--tool', 'run_command'])).stdout).toMatch(/denied.* deny no-approver$/m)
})

test('without a terminal, a file that has changed since is not restored', async () => {
  await using lab = await openRunLab(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'It is done.' }
      : { toolCalls: [{ name: 'write_file', args: { path: 'a.txt', content: 'one' } }] },
  )
  await lab.run(['run', 'make a file', '--approve', 'auto'])
  await writeFile(join(lab.path, 'a.txt'), 'mine')
  const { code, stdout, stderr } = await lab.run(['run', '/undo', '--continue', '--approve', 'auto'])
  expect(stdout).toContain('left as it is: it has changed since, and nobody could be asked\n')
  expect(stderr).toContain('Restore a.txt, which has changed since. Run it in a terminal.\n')
  expect(code).toBe(6)
  expect((await lab.run(['history', '--tool', 'undo'])).stdout).toMatch(/denied.* deny no-approver$/m)
})

test.runIf(process.platform === 'linux')(
  '--approve fenced says that no sandbox works, and asks',
  async () => {
    await using home = await openTempDir()
    const args = ['run', '--approve', 'fenced', '/call write_file path=new.txt content=one']
    const { code, stderr } = await runOstler(args, {
      env: { HOME: home.path, PATH: home.path },
      cwd: home.path,
    })
    expect(stderr).toContain('The mode “Fenced” cannot be used, because bubblewrap is not installed')
    expect(existsSync(join(home.path, 'new.txt'))).toBe(false)
    expect(code).toBe(6)
  },
)

test('a server whose start must be asked about needs an agent file, and not --approve', async () => {
  await using lab = await openRunLab(touchThenSay)
  await writeFile(join(lab.path, 'server.mjs'), '')
  await writeFile(
    join(lab.path, 'mcp.json'),
    JSON.stringify({ mcpServers: { mine: { command: 'node', args: ['server.mjs'] } } }),
  )
  const { stderr } = await lab.run(['run', 'make a file', '--approve', 'auto', '--mcp-config', 'mcp.json'])
  expect(stderr).toContain(
    'Start the MCP server "mine" with files of this folder. Put the server into an agent file.\n',
  )
  expect((await lab.run(['history', '--tool', 'start'])).stdout).toMatch(/denied.* deny no-approver$/m)
})

test('--approve none refuses without a word, and lasts no longer than the run', async () => {
  await using lab = await openRunLab(touchThenSay)
  const refused = await lab.run(['run', 'make a file', '--approve', 'none', '--json'])
  expect(refused).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(join(lab.path, 'made'))).toBe(false)
  const allowed = await lab.run(['run', 'make a file', '--continue', '--approve', 'auto', '--json'])
  expect(eventsIn(allowed.stdout)[0]).toMatchObject({ mode: 'auto', continued: true })
  const after = await lab.run(['run', 'make a file', '--continue', '--json'])
  expect(eventsIn(after.stdout)[0]).toMatchObject({ mode: 'always-ask' })
})

test('--approve auto does not outlive a run that is killed', async () => {
  await using lab = await openRunLab(({ messages }) =>
    JSON.stringify(messages.at(-1)).includes('go on')
      ? { text: 'hello' }
      : { toolCalls: [{ name: 'run_command', args: { command: 'echo $$ > pid; exec sleep 600' } }] },
  )
  const run = lab.start(['run', 'x', '--approve', 'auto', '--json'])
  await until('the command to run', () => existsSync(join(lab.path, 'pid')))
  const children = await descendantsOf(run.child.pid ?? 0)
  run.child.kill('SIGKILL')
  await run.ended
  for (const child of children) if (await isAlive(child)) process.kill(child, 'SIGKILL')
  expect(eventsIn(run.stdout())[0]).toMatchObject({ mode: 'auto' })
  const after = await lab.run(['run', 'go on', '--continue', '--json'])
  expect(eventsIn(after.stdout)[0]).toMatchObject({ mode: 'always-ask', continued: true })
})

test('--continue and --session continue a conversation', async () => {
  await using lab = await openRunLab(({ messages }) => ({ text: `${messages.length} messages` }))
  const first = eventsIn((await lab.run(['run', 'the first', '--json'])).stdout)[0]
  // Sessions in which nothing was asked do not count.
  await lab.run(['run', '/tools'])
  await lab.run(['run', 'refused', '--model', 'anthropic/x'], { env: { ANTHROPIC_API_KEY: '' } })
  await lab.run(['run', 'the second', '-c'])
  const id = String(first?.['sessionId'])
  const third = eventsIn((await lab.run(['run', 'the third', '--session', id.slice(0, 8), '--json'])).stdout)
  expect(third[0]).toMatchObject({ sessionId: id, continued: true })
  const sent = JSON.stringify(lab.model.requests.at(-1)?.messages)
  for (const prompt of ['the first', 'the second', 'the third']) expect(sent).toContain(prompt)
  const unknown = await lab.run(['run', 'x', '--session', 'zzz'])
  expect(unknown).toMatchObject({
    code: 1,
    stderr: "ostler: There is no session 'zzz'. `ostler sessions` lists them.\n",
  })
})

test('--mcp-config connects the servers of a file, with its variables', async () => {
  await using lab = await openRunLab(({ messages, tools }) => {
    const add = tools.find(({ name }) => name.includes('add'))
    return messages.at(-1)?.role === 'tool' || add === undefined
      ? { text: JSON.stringify(messages.at(-1)) }
      : { toolCalls: [{ name: add.name, args: { a: 2, b: 40 } }] }
  })
  const { command, args } = sumServer()
  const file = join(lab.path, 'mcp.json')
  await writeFile(
    file,
    JSON.stringify({
      mcpServers: { sums: { command: '${RUNTIME}', args }, off: { command: 'x', disabled: true } },
    }),
  )
  const { code, stdout, stderr } = await lab.run(['run', 'add', '--mcp-config', file, '--approve', 'auto'], {
    env: { RUNTIME: command },
  })
  expect(stdout).toContain('42')
  expect(stderr).toMatch(/^✓ .*add/m)
  expect(code).toBe(0)
  const unset = await lab.run(['run', 'add', '--mcp-config', file])
  expect(unset).toMatchObject({
    code: 1,
    stderr: 'ostler: MCP server "sums": the variable RUNTIME is not set.\n',
  })
})

test('a run waits longer for a new server than a prompt in a conversation, because no other prompt follows', async () => {
  await using lab = await openRunLab(({ tools }) => ({ text: tools.map(({ name }) => name).join(' ') }))
  const file = join(lab.path, 'mcp.json')
  const args = [join(import.meta.dirname, '../fixtures/servers/slow-start.mjs'), '2000', 'slow']
  await writeFile(file, JSON.stringify({ mcpServers: { late: { command: process.execPath, args } } }))
  const { stdout, code } = await lab.run(['run', 'hi', '--mcp-config', file])
  expect(stdout).toContain('late__slow_tool')
  expect(code).toBe(0)
})

test.each([
  ['max_tokens', { text: 'half', stop: 'max_tokens' as const }, 4],
  ['refusal', { text: 'I cannot.', stop: 'refusal' as const }, 3],
])('the exit code says that the answer ended with %s', async (reason, reply, exitCode) => {
  await using lab = await openRunLab(() => reply)
  const { code, stdout } = await lab.run(['run', 'x', '--json'])
  expect(eventsIn(stdout).at(-1)).toMatchObject({ type: 'end', reason, exitCode })
  expect(code).toBe(exitCode)
})

test('--max-steps limits the requests to the model', async () => {
  await using lab = await openRunLab(() => ({ toolCalls: [{ name: 'list_directory', args: { path: '.' } }] }))
  const { code, stderr } = await lab.run(['run', 'x', '--max-steps', '2'])
  expect(code).toBe(5)
  expect(stderr).toMatch(
    /^ostler: The limit of requests to the model has been reached\. To continue, run with the same options: ostler run "continue" --continue$/m,
  )
  expect(lab.model.requests.length).toBeLessThanOrEqual(3)
})

test('a wait for the vendor is told', async () => {
  await using lab = await openRunLab(() => ({ status: 429, headers: { 'retry-after': '50' } }))
  const run = startCli(['run', 'x', '--timeout', '30s'], { cwd: lab.path, env: lab.env })
  await until('the wait', () => /^ostler: .*\(429\).* Retrying in \d+ s\.\n$/.test(run.stderr()))
  for (const end of run.listeners) end('SIGINT')
  expect(await run.code).toBe(130)
  expect(run.stderr()).toMatch(/\nostler: Cancelled\.\n$/)
})

test('a problem is told once, with a row for each server', async () => {
  await using lab = await openRunLab(undefined)
  const file = join(lab.path, 'mcp.json')
  await writeFile(
    file,
    JSON.stringify({ mcpServers: { one: { command: 'no-such-one' }, two: { command: 'no-such-two' } } }),
  )
  const { stderr } = await lab.run(['run', 'x', '--mcp-config', file])
  expect(stderr).toBe(
    'ostler: 2 MCP servers not available:\n  one: command not found: no-such-one\n  two: command not found: no-such-two\n',
  )
})

test('why the agent cannot start is told once', async () => {
  await using lab = await openRunLab(undefined, {
    mcpServers: {
      sums: { type: 'stdio', mode: 'strict', command: process.execPath, args: sumServer().args },
    },
  })
  const { code, stderr } = await lab.run(['run', 'x'])
  expect(stderr).toMatch(/^ostler: Tool 'add' from MCP server 'sums' is not configured in the toolbox\.\n\n/)
  expect(stderr.split('is not configured in the toolbox')).toHaveLength(2)
  expect(code).toBe(1)
})

test('an error of the model is a failure, and not an answer', async () => {
  await using lab = await openRunLab(() => ({ status: 400, errorMessage: 'no such thing' }))
  const { code, stdout, stderr } = await lab.run(['run', 'x'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^ostler: .*no such thing.*\n$/)
  const events = eventsIn((await lab.run(['run', 'x', '--json'])).stdout)
  expect(events.at(-1)).toMatchObject({
    type: 'end',
    reason: 'failed',
    exitCode: 1,
    answer: '',
    error: expect.stringContaining('no such thing') as string,
  })
})

test('--timeout cancels the turn and its commands', async () => {
  await using lab = await openRunLab(() => ({
    toolCalls: [{ name: 'run_command', args: { command: 'echo $$ > pid; sleep 600' } }],
  }))
  const { code, stdout, stderr } = await lab.run([
    'run',
    'x',
    '--approve',
    'auto',
    '--timeout',
    '3s',
    '--json',
  ])
  expect(stderr).toBe('')
  expect(code).toBe(124)
  expect(eventsIn(stdout).at(-1)).toMatchObject({
    type: 'end',
    reason: 'timeout',
    exitCode: 124,
    error: expect.stringMatching(
      /^The time of --timeout is over\. .*with the same options: ostler run "continue" --continue$/,
    ),
  })
  const pid = Number(await readFile(join(lab.path, 'pid'), 'utf8'))
  expect(await isAlive(pid)).toBe(false)
})

/** Runs a command that never ends, and a server, both of which can be found by the folder of the lab. */
async function openEndlessRun() {
  const lab = await openRunLab(() => ({
    toolCalls: [{ name: 'run_command', args: { command: 'echo $$ > pid; sleep 600' } }],
  }))
  const file = join(lab.path, 'mcp.json')
  const { command, args } = sumServer()
  await writeFile(file, JSON.stringify({ mcpServers: { sums: { command, args: [...args, lab.path] } } }))
  return { lab, args: ['run', 'x', '--approve', 'auto', '--json', '--mcp-config', file] }
}

test('SIGINT ends the run, its commands and its servers', async () => {
  const { lab, args } = await openEndlessRun()
  await using _ = lab
  const run = lab.start(args)
  await until('the command to run', () => run.stdout().includes('in_progress'))
  const children = await descendantsOf(run.child.pid ?? 0)
  expect(children.length).toBeGreaterThan(0)
  run.child.kill('SIGINT')
  expect((await run.ended).code).toBe(130)
  for (const child of children)
    await until(`the end of process ${child}`, async () => !(await isAlive(child)))
})

// The chat shows that these signals reach a command.
test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('so does %s', async (signal, exitCode) => {
  const { lab, args } = await openEndlessRun()
  await using _ = lab
  const run = startCli(args, { cwd: lab.path, env: lab.env })
  const pid = await until('the command to run', async () =>
    Number(await readFile(join(lab.path, 'pid'), 'utf8').catch(() => '')),
  )
  expect(await processesWithArgument(`sum-server.mjs\0${lab.path}`)).toHaveLength(1)
  for (const end of run.listeners) end(signal)
  expect(await run.code).toBe(exitCode)
  await until('the end of the command', async () => !(await isAlive(pid)))
  await until(
    'the end of the server',
    async () => (await processesWithArgument(`sum-server.mjs\0${lab.path}`)).length === 0,
  )
})

test('a reader that leaves ends the run', async () => {
  await using lab = await openRunLab(() => ({
    text: Array.from({ length: 10_000 }, () => 'word '),
    delayMs: 5,
  }))
  const run = lab.start(['run', 'x', '--json'])
  await once(run.child.stdout ?? run.child, 'data')
  run.child.stdout?.destroy()
  expect((await run.ended).code).toBe(141)
})

test('no terminal sequences of a model or a tool reach the output', async () => {
  await using lab = await openRunLab(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: ['done \u001b', ']0;owned\u0007 \u009b31mred\u202e\u200b'] }
      : {
          text: 'before \u001b[2J',
          toolCalls: [{ name: 'run_command', args: { command: "printf '\\033[31m'; : \u001b[8mhidden" } }],
        },
  )
  const dangerous = /[^\P{C}\n\t]/u
  for (const more of [[], ['--json']]) {
    const { stdout, stderr } = await lab.run(['run', 'x', '--approve', 'auto', ...more])
    expect(stdout).toContain('done')
    expect(stdout + stderr).not.toMatch(dangerous)
  }
})

test.runIf(hasTerminal)(
  'a question is asked on the terminal, with the whole command, and leaves stdout alone',
  async () => {
    await using lab = await openRunLab(touchThenSay)
    const { code, shown } = await runOnTerminal(['run', 'make a file'], {
      env: { ...lab.env, NO_COLOR: '1' },
      cwd: lab.path,
      typed: [
        ['Allow this call?', 'perhaps\n'],
        ['Allow this call?', 'y\n'],
      ],
    })
    expect(shown).toMatch(/Command:\s+```sh\s+touch made\s+```/)
    expect(shown).toMatch(/^ {2}y {2}Allow once$/m)
    expect(shown).toMatch(/✓ touch made\nIt is done.\n$/)
    expect(code).toBe(0)
    expect(existsSync(join(lab.path, 'made'))).toBe(true)
  },
)

test.runIf(hasTerminal)('a question on the terminal, while standard input and output are pipes', async () => {
  await using lab = await openRunLab(touchThenSay)
  const answer = join(lab.path, 'answer')
  const ostler = [process.execPath, ostlerScript].map((word) => `'${word}'`).join(' ')
  const { shown } = await runLineOnTerminal(`echo make a file | ${ostler} run - > '${answer}' 2> /dev/null`, {
    env: lab.env,
    cwd: lab.path,
    typed: [['Allow this call?', 'n\n']],
  })
  expect(shown).toContain('touch made')
  expect(await readFile(answer, 'utf8')).toBe('It is done.\n')
  expect(existsSync(join(lab.path, 'made'))).toBe(false)
})

test.each([
  [['run'], 'no prompt given'],
  [['run', ''], 'the prompt is empty'],
  [['run', '-', '-'], 'standard input can be read only once'],
  [['run', 'x', '--approve', 'maybe'], '--approve must be one of ask, trusted, fenced, auto, none'],
  [['run', 'x', '--max-steps', '0'], "--max-steps must be a number from 1 to 1000, but is '0'"],
  [['run', 'x', '--timeout', 'soon'], "--timeout must be a duration like 30s or PT1M, but is 'soon'"],
  [['run', 'x', '-c', '--session', 'y'], '--continue and --session cannot be used together'],
])('%j is a usage error', async (args, message) => {
  await using lab = await openRunLab()
  const { code, stdout, stderr } = await lab.run(args, { input: '' })
  expect(stderr.split('\n')[0]).toBe(`ostler: ${message}`)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
})

test.each([
  [
    'an agent file that cannot be read',
    ['--agent', '/nowhere.yaml'],
    /^ostler: The agent file \/nowhere.yaml cannot be read: .*\n$/,
  ],
  [
    'servers that cannot be read',
    ['--mcp-config', '/nowhere.json'],
    /^ostler: \/nowhere.json cannot be read: .*\n$/,
  ],
  [
    'no session to continue',
    ['--continue'],
    /^ostler: There is no session in .* to continue\. To begin one, omit --continue\.\n$/,
  ],
  ['a model of an unknown vendor', ['--model', 'nobody/x'], /^ostler: There is no provider "nobody"\..*\n$/],
])('%s fails with one sentence', async (_, args, message) => {
  await using lab = await openRunLab()
  const { code, stdout, stderr } = await lab.run(['run', 'x', ...args])
  expect(stderr).toMatch(message)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
})

test('a mentioned file that does not exist is told, and other words with @ are not', async () => {
  await using lab = await openRunLab()
  await writeFile(join(lab.path, 'here.js'), '')
  const long = 'a'.repeat(300)
  const { code, stderr } = await lab.run([
    'run',
    `Compare @nope.js, @here.js, @./${long} and @./no/such with @types/node, @anna and @web:res://x.y`,
  ])
  expect(stderr).toBe(`ostler: No such file, so not attached: nope.js, ./${long}, ./no/such\n`)
  expect(JSON.stringify(lab.model.requests[0]?.body)).toContain(join(lab.path, 'here.js'))
  expect(code).toBe(0)
})
