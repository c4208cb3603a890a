import { spawn, type ChildProcess } from 'node:child_process'
import { open as openFile, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  openAcpProcess,
  ostlerScript,
  type AcpProcess,
  type AcpProcessOptions,
} from '../support/acp-harness.ts'
import { sumServer } from '../support/acp-scripted.ts'
import { startLoopbackModel } from '../support/loopback-model/index.ts'
import { makeFifo } from '../support/make-fifo.ts'
import { descendantsOf, survivorsAfter, until } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'

/** The guarantee is 5 s. The grace is for a busy machine. */
const exitMsMax = 5_000
const graceMs = 3_000

/** A server behind a wrapper, with a child that ignores SIGTERM. */
const deaf = 'sleep 300'
const { command, args } = sumServer()
const stubborn = {
  name: 'stubborn',
  command: 'sh',
  args: ['-c', `trap '' TERM; ${deaf} </dev/null >/dev/null & "${command}" "${args[0]}"; true`],
  env: [],
}

interface Serving extends AsyncDisposable {
  readonly editor: AcpProcess
  readonly sessionId: string
  readonly children: number[]
}

/** A process that has a session with a server. */
async function openServing(options: AcpProcessOptions = {}): Promise<Serving> {
  await using opened = new AsyncDisposableStack()
  const editor = opened.use(await openAcpProcess(options))
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: editor.home, mcpServers: [stubborn] })
  const children = await until('the server', async () => {
    const found = await descendantsOf(editor.pid)
    return found.length >= 4 ? found : undefined
  })
  const all = opened.move()
  return { editor, sessionId, children, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

/** The same with a prompt whose model has stopped answering. */
async function openBusy(): Promise<Serving & { readonly prompt: Promise<unknown> }> {
  await using opened = new AsyncDisposableStack()
  const model = opened.use(
    await startLoopbackModel({ vendor: 'anthropic', script: () => ({ text: ['so'], hang: 'after_text' }) }),
  )
  const serving = opened.use(await openServing({ args: ['--model', model.modelId], env: model.env }))
  const { editor, sessionId } = serving
  const prompt = editor.prompt(sessionId, 'go').catch(() => 'no answer')
  await editor.waitForUpdate(
    sessionId,
    'agent_message_chunk',
    ({ content }) => content.type === 'text' && content.text === 'so',
  )
  const all = opened.move()
  return { ...serving, prompt, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

async function expectEnd(
  { editor, children }: { editor: AcpProcess; children: number[] },
  code: number,
): Promise<void> {
  await until('the process to end', () => editor.child.exitCode !== null, exitMsMax + graceMs)
  expect(editor.child.exitCode).toBe(code)
  expect(await survivorsAfter(children, graceMs)).toEqual([])
}

test.concurrent('the end of stdin ends everything; the running prompt is answered first, and stderr stays empty', async () => {
  await using busy = await openBusy()
  const { editor } = busy
  const { sessionId } = await editor.newSession({ cwd: editor.home })
  await editor.prompt(sessionId, '/mcp')
  editor.notify('session/cancel', { sessionId })
  await editor.request('session/close', { sessionId })
  editor.closeInput()
  expect(await busy.prompt).toEqual({ stopReason: 'cancelled' })
  await expectEnd(busy, 0)
  expect(editor.stderr()).toBe('')
})

test.concurrent('SIGTERM ends everything; the running prompt is answered first', async () => {
  await using busy = await openBusy()
  process.kill(busy.editor.pid, 'SIGTERM')
  expect(await busy.prompt).toEqual({ stopReason: 'cancelled' })
  await expectEnd(busy, 143)
})

test.concurrent.each([
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('%s ends everything', async (signal, code) => {
  await using serving = await openServing()
  process.kill(serving.editor.pid, signal)
  await expectEnd(serving, code)
})

test.concurrent('an editor that closes our stdout ends everything with the next message', async () => {
  await using serving = await openServing()
  serving.editor.child.stdout?.destroy()
  void serving.editor.request('session/list', {}).catch(() => undefined)
  await expectEnd(serving, 0)
})

/** An editor in its own process, which can be killed or stopped while its agent lives, and its agent with a server. */
async function openEditor(): Promise<
  { editor: ChildProcess; family: number[]; answers: () => number } & AsyncDisposable
> {
  const dir = await openTempDir()
  const script = join(dir.path, 'editor.mjs')
  const messages = [
    { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } },
    { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: dir.path, mcpServers: [stubborn] } },
  ]
  await writeFile(
    script,
    `import { spawn } from 'node:child_process'
     const agent = spawn(process.execPath, [${JSON.stringify(ostlerScript)}, 'acp', '--model', 'offline', '--state-dir', ${JSON.stringify(dir.path)}], { stdio: ['pipe', 'pipe', 'inherit'] })
     agent.stdin.write(${JSON.stringify(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))})
     agent.stdout.on('data', () => console.log('answer'))
     // Later input of a person.
     process.stdin.pipe(agent.stdin)`,
  )
  const editor = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  let answers = 0
  editor.stdout.on('data', () => answers++)
  const family = await until('the agent and its servers', async () => {
    const found = await descendantsOf(editor.pid ?? 0)
    return found.length >= 5 ? found : undefined
  })
  return {
    editor,
    family,
    answers: () => answers,
    async [Symbol.asyncDispose]() {
      editor.kill('SIGKILL')
      await dir[Symbol.asyncDispose]()
    },
  }
}

test.concurrent('a stopped editor finds everything unchanged, and everything ends when it is killed', async () => {
  await using opened = await openEditor()
  await using killed = await openEditor()
  const before = opened.answers()
  opened.editor.kill('SIGSTOP')
  opened.editor.stdin?.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'session/list', params: {} })}\n`,
  )
  // As long as it takes to end a process whose editor is gone.
  killed.editor.kill('SIGKILL')
  expect(await survivorsAfter(killed.family, exitMsMax + graceMs)).toEqual([])
  expect(await survivorsAfter(opened.family, 0)).toHaveLength(opened.family.length)
  opened.editor.kill('SIGCONT')
  await until('an answer', () => opened.answers() > before)
  opened.editor.kill('SIGSTOP')
  opened.editor.kill('SIGKILL')
  expect(await survivorsAfter(opened.family, exitMsMax + graceMs)).toEqual([])
})

test.concurrent.each([
  ['stdout', ['stdout']],
  ['stdin', ['stdin']],
  ['both', ['stdout', 'stdin']],
])('an editor that speaks through pipes and closes %s ends everything', async (_, closed) => {
  await using dir = await openTempDir()
  // Node's own pipes are sockets. The programs at both ends stand for the editor.
  const line = `cat <"$1" | "$3" "$4" acp --model offline --state-dir "$2" | cat >/dev/null`
  const fifo = join(dir.path, 'fifo')
  makeFifo(fifo)
  const shell = spawn('sh', ['-c', line, 'sh', fifo, dir.path, process.execPath, ostlerScript], {
    stdio: 'ignore',
  })
  await using input = await openFile(fifo, 'w')
  await input.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } })}\n`,
  )
  const params = { cwd: dir.path, mcpServers: [stubborn] }
  await input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'session/new', params })}\n`)
  const family = await until('the agent and its servers', async () => {
    const found = await descendantsOf(shell.pid ?? 0)
    return found.length >= 7 ? found : undefined
  })
  const cats = await Promise.all(
    family.map(async (pid) =>
      (await readFile(`/proc/${pid}/comm`, 'utf8')) === 'cat\n'
        ? [{ pid, input: await readlink(`/proc/${pid}/fd/0`) }]
        : [],
    ),
  )
  const ends = {
    stdin: cats.flat().find((cat) => cat.input === fifo)?.pid,
    stdout: cats.flat().find((cat) => cat.input !== fifo)?.pid,
  }
  for (const end of closed) process.kill(ends[end as keyof typeof ends] ?? 0, 'SIGKILL')
  if (!closed.includes('stdin'))
    await input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'session/list', params: {} })}\n`)
  const rest = family.filter((pid) => !Object.values(ends).includes(pid))
  expect(await survivorsAfter(rest, exitMsMax + graceMs)).toEqual([])
  if (ends.stdin !== undefined && !closed.includes('stdin')) process.kill(ends.stdin, 'SIGKILL')
})

test.concurrent('an editor that closes our stdout during an answer causes no error message', async () => {
  // More than the queue may hold.
  const text = Array.from({ length: 150 }, (_, index) =>
    `piece ${index} of a long answer that nobody reads for now; `.repeat(200),
  )
  await using model = await startLoopbackModel({
    vendor: 'anthropic',
    script: [{ text: ['so', ...text], hang: 'after_text' }],
  })
  await using editor = await openAcpProcess({
    args: ['--model', model.modelId, '--log-file', 'log', '--log-level', 'debug'],
    env: model.env,
  })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: editor.home })
  void editor.prompt(sessionId, 'go').catch(() => undefined)
  await editor.waitForUpdate(sessionId, 'agent_message_chunk')
  editor.pauseReading()
  const log = () => readFile(join(editor.home, 'log'), 'utf8')
  await until('the agent to wait for its editor', async () =>
    (await log()).includes('waiting for the editor to read'),
  )
  editor.child.stdout?.destroy()
  await until('the process to end', () => editor.child.exitCode !== null, exitMsMax + graceMs)
  expect(editor.child.exitCode).toBe(0)
  expect(await log()).not.toMatch(/ (?:error|warn) /)
})

test('disconnecting before anything has begun is not an error', async () => {
  await using editor = await openAcpProcess()
  editor.closeInput()
  expect(await editor.exit).toEqual({ code: 0, signal: null })
  expect(editor.stderr()).toBe('')
})

test('all requests at once, followed by the end: every request is answered', async () => {
  await using editor = await openAcpProcess()
  const answers = [
    editor.initialize(),
    editor.newSession({ cwd: '/' }),
    editor.request('authenticate', { methodId: 'environment' }),
  ]
  editor.closeInput()
  expect(await Promise.all(answers)).toHaveLength(3)
  expect(await editor.exit).toEqual({ code: 0, signal: null })
})
