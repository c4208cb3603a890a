import { randomUUID } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAcpProcess, type AcpProcess } from '../support/acp-harness.ts'
import { openAgentLab } from '../support/agent-lab.ts'
import { canary, leaksIn } from '../support/canaries.ts'
import {
  startLoopbackModel,
  type LoopbackModel,
  type ModelRequest,
  type Reply,
} from '../support/loopback-model/index.ts'
import { processesWithArgument, survivorsAfter, until } from '../support/processes.ts'

interface Commands extends AsyncDisposable {
  readonly editor: AcpProcess
  readonly model: LoopbackModel
  readonly sessionId: string
  /** Runs one prompt with one command. Returns what the model reads of it. */
  run(args: Readonly<Record<string, unknown>>, session?: string): Promise<string>
}

/** The built command as an editor starts it, with this environment. `settings` are those of the agent file. */
async function openCommands(
  env: Readonly<Record<string, string>> = {},
  settings: object = {},
): Promise<Commands> {
  await using opened = new AsyncDisposableStack()
  let next: Readonly<Record<string, unknown>> = {}
  const script = (request: ModelRequest): Reply =>
    resultIn(request) === undefined ? { toolCalls: [{ name: 'run_command', args: next }] } : { text: 'done' }
  const model = opened.use(await startLoopbackModel({ vendor: 'anthropic', script }))
  const editor = opened.use(
    await openAcpProcess({
      args: ['--model', model.modelId],
      env: { ...model.env, ...env, OSTLER_TOOLS: JSON.stringify(settings) },
      capabilities: {},
    }),
  )
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: editor.home })
  const all = opened.move()
  return {
    editor,
    model,
    sessionId,
    async run(args, session = sessionId) {
      next = args
      await editor.prompt(session, 'go')
      return resultIn(model.requests.at(-1)) ?? 'no result'
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** A background command with a child, each of which has the mark among its arguments. */
function family(mark: string): string {
  return `sh -c 'trap "" TERM HUP; sh -c "trap \\"\\" TERM; while :; do sleep 1; done" ${mark}; :' ${mark}`
}

async function openFamily(commands: Commands, sessionId = commands.sessionId): Promise<readonly number[]> {
  const mark = randomUUID()
  await commands.run({ command: family(mark), background: true }, sessionId)
  return until('the processes', async () => {
    const found = await processesWithArgument(mark)
    return found.length >= 2 && found
  })
}

test('a command is gone when its session closes, and those of other sessions are gone after Ostler is killed', async () => {
  await using commands = await openCommands()
  const { editor, sessionId } = commands
  const pids = await openFamily(commands)
  const other = (await editor.newSession({ cwd: editor.home })).sessionId
  const others = await openFamily(commands, other)
  await editor.request('session/close', { sessionId })
  expect(await survivorsAfter(pids, 10_000)).toEqual([])
  expect(await survivorsAfter(others, 0)).toEqual(others)
  editor.child.kill('SIGKILL')
  expect(await survivorsAfter(others, 10_000)).toEqual([])
})

test.each<[string, (commands: Commands) => unknown]>([
  ['the editor leaves', ({ editor }) => editor.closeInput()],
  ['Ostler is told to end', ({ editor }) => editor.child.kill('SIGTERM')],
])('a command is gone when %s', async (_, leave) => {
  await using commands = await openCommands()
  const pids = await openFamily(commands)
  await leave(commands)
  expect(await survivorsAfter(pids, 10_000)).toEqual([])
})

test("a command gets the person's environment, without keys, passwords and variables of Ostler", async () => {
  const secrets = {
    GITHUB_TOKEN: canary('token'),
    AWS_SECRET_ACCESS_KEY: canary('aws'),
    PLAIN_LOOKING: `ghp_${'a1B2c3D4e5'.repeat(4)}`,
    OPENAI_API_KEY: canary('openai'),
    OSTLER_ANYTHING: 'value',
    NPM_TOKEN: canary('npm'),
  }
  const proxy = canary('proxy')
  await using commands = await openCommands(
    {
      ...secrets,
      CARGO_HOME: '/opt/cargo',
      LANG: 'C.UTF-8',
      HTTPS_PROXY: `http://ada:${proxy}@127.0.0.1:1`,
      NO_PROXY: '127.0.0.1',
    },
    { run_command: { keepVariables: ['NPM_TOKEN'] } },
  )
  const result = await commands.run({ command: 'env > environment; env | sort' })
  const environment = await readFile(join(commands.editor.home, 'environment'), 'utf8')
  for (const kept of [
    'PATH=',
    `HOME=${commands.editor.home}`,
    'CARGO_HOME=/opt/cargo',
    'LANG=C.UTF-8',
    'HTTPS_PROXY=http://127.0.0.1:1',
    `NPM_TOKEN=${secrets.NPM_TOKEN}`,
    'TERM=dumb',
    'GIT_EDITOR=true',
  ])
    expect(environment).toContain(kept)
  const { NPM_TOKEN: allowed, ...withheld } = secrets
  for (const name of Object.keys(withheld).filter((each) => each !== 'OSTLER_ANYTHING'))
    expect(environment).not.toContain(`${name}=`)
  expect(environment).not.toContain('OSTLER_ANYTHING')
  expect(environment).not.toContain('ANTHROPIC_API_KEY')
  expect(environment).not.toContain(proxy)
  expect(result).toContain('NPM_TOKEN=[redacted]')
  expect(result).not.toContain(allowed)
})

test('a secret in the output reaches nobody: neither live, nor where the output is cut, nor in the history', async () => {
  const secret = canary('output')
  await using commands = await openCommands({ SOME_TOKEN: secret })
  const { editor, model, sessionId } = commands
  await writeFile(join(editor.home, 'secret'), secret)
  await commands.run({ command: 'cat secret; echo; sleep 0.3; cat secret; sleep 0.3' })
  await commands.run({
    command: `secret=$(cat secret); for n in $(seq 1 3000); do printf 'x%s' "$secret"; done`,
  })
  const shown = JSON.stringify([editor.updates(sessionId), model.requests, editor.permissionRequests()])
  expect(shown).toContain('[redacted]')
  expect(leaksIn({ shown, stderr: editor.stderr() }, { secret })).toEqual([])
  expect(shown).not.toContain(secret.slice(-20))
  editor.closeInput()
  const state = join(editor.home, '.local/state/ostler')
  const names = await readdir(state, { recursive: true }).catch(() => [])
  expect(names).toContain('ostler.db')
  const stored = await Promise.all(names.map((name) => readFile(join(state, name), 'latin1').catch(() => '')))
  expect(leaksIn(Object.fromEntries(names.map((name, at) => [name, stored[at] ?? ''])), { secret })).toEqual(
    [],
  )
})

test('the agent file sets the timeout, which does not end a command that the model gave more time', async () => {
  let next: object = {}
  await using lab = await openAgentLab((request) =>
    resultIn(request) === undefined ? { toolCalls: [{ name: 'run_command', args: next }] } : { text: 'done' },
  )
  await lab.writeAgentFile({ tools: { run_command: { timeout: '1s', timeoutMax: '3s' } } })
  await using editor = await lab.open()
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  const run = async (args: object) => {
    next = args
    await editor.prompt(sessionId, 'go')
    return resultIn(lab.model.requests.at(-1))
  }
  expect(await run({ command: 'echo before; sleep 300' })).toMatch(
    /before[^]*\[timed out: stopped after 1 s\. .*\(at most 3\)/,
  )
  expect(await run({ command: 'sleep 1.5; echo after', timeout: 3 })).toContain('after')
  expect(await run({ command: 'true', timeout: 4 })).toContain('timeout')
})

/** The result of the last call, as the model reads it. */
function resultIn(request: ModelRequest | undefined): string | undefined {
  const part = request?.messages.at(-1)?.parts.at(-1)
  return part?.type === 'tool_result' ? part.text : undefined
}
