import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openState } from '@ostler/agent-api/internal'
import { expect, it } from 'vitest'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import { openAcpProcess, type AcpProcess } from '../support/acp-harness.ts'
import { ostlerScript } from '../support/ostler-script.ts'
import { load } from '../support/acp-sessions.ts'
import { descendantsOf, isAlive, survivorsAfter, until } from '../support/processes.ts'

/** The guarantee is 5 s. The rest is for a busy machine. */
const endMsMax = 5_000 + 10_000

/** A local tool that occupies the main thread, and creates a file when it starts. */
const stuckTool = (work: string) => `
  import { execFileSync } from 'node:child_process'
  import { writeFileSync } from 'node:fs'
  const work = async () => { writeFileSync(new URL('stuck', import.meta.url), ''); ${work}; return { isError: false, content: [{ type: 'text', text: 'done' }] } }
  export const stuck = { ref: { server: null, tool: 'stuck' }, description: 'Never comes back', inputSchema: { type: 'object' }, kind: 'other', execute: work }`

const wait = (ms?: number) =>
  `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0${ms === undefined ? '' : `, ${ms}`})`

interface Stuck extends AsyncDisposable {
  readonly lab: AgentLab
  readonly editor: AcpProcess
  readonly log: () => Promise<string>
  /** Its servers and their watchdog. */
  readonly family: readonly number[]
}

/** A process with a server, whose main thread is stuck in a tool. */
async function openStuck(work: string): Promise<Stuck> {
  await using opened = new AsyncDisposableStack()
  const lab = opened.use(await openAgentLab([{ toolCalls: [{ name: 'stuck', args: {} }] }, { text: 'fine' }]))
  await lab.offer('work', ['slow'])
  await writeFile(join(lab.path, 'stuck.mjs'), stuckTool(work))
  await lab.writeAgentFile({
    approval: { mode: 'auto' },
    localTools: ['./stuck.mjs'],
    toolbox: { tools: [{ name: 'stuck' }] },
    mcpServers: { work: { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...lab.command('work') } },
  })
  const logFile = join(lab.path, 'log')
  const editor = await lab.start({ args: ['--log-file', logFile] })
  opened.defer(() => void editor.child.kill('SIGKILL'))
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  void editor.prompt(sessionId, 'go').catch(() => undefined)
  await until('the tool to be stuck', () => readFile(join(lab.path, 'stuck')).then(Boolean, () => false))
  const family = await descendantsOf(editor.pid)
  expect(family.length).toBeGreaterThanOrEqual(2)
  const all = opened.move()
  return {
    lab,
    editor,
    family,
    log: () => readFile(logFile, 'utf8'),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** It keeps running, and leaves some of the processor to other tests. */
const loop = `for (;;) ${wait(5)}`

it.concurrent.each([
  ['is stuck', wait()],
  ['runs an endless loop', loop],
])('a process whose main thread %s ends with its servers after the end of its input', async (_, work) => {
  await using stuck = await openStuck(work)
  stuck.editor.closeInput()
  await until('the process to end', () => stuck.editor.child.signalCode !== null, endMsMax)
  expect(await stuck.editor.exit).toEqual({ code: null, signal: 'SIGKILL' })
  expect(await survivorsAfter(stuck.family, endMsMax)).toEqual([])
  // All places where a person looks for the reason.
  const reason = 'ended by force: the editor had closed the input, and the process did not react'
  expect(await stuck.log()).toMatch(new RegExp(`^\\S+ error ${reason}\n$`, 'm'))
  expect(stuck.editor.stderr()).toMatch(new RegExp(`^ostler: ${reason}`, 'm'))
  using history = openState({ stateDir: join(stuck.lab.path, 'state') })
  expect(history.presence.lastEnd()?.reason).toBe(reason)
})

it.concurrent('a module that never finishes loading does not keep the process', async () => {
  await using lab = await openAgentLab()
  await writeFile(
    join(lab.path, 'stuck.mjs'),
    `import { writeFileSync } from 'node:fs'; writeFileSync(new URL('stuck', import.meta.url), ''); ${wait()}`,
  )
  await lab.writeAgentFile({ localTools: ['./stuck.mjs'] })
  await using editor = await lab.start()
  await editor.initialize()
  await until('the module to be stuck', () => readFile(join(lab.path, 'stuck')).then(Boolean, () => false))
  editor.closeInput()
  await until('the process to end', () => editor.child.signalCode !== null, endMsMax)
})

it.concurrent('a process ends by force although the files of the command are gone', async () => {
  await using lab = await openAgentLab()
  const copy = join(lab.path, 'copy')
  await cp(dirname(ostlerScript), copy, { recursive: true })
  await writeFile(
    join(lab.path, 'stuck.mjs'),
    `import { writeFileSync } from 'node:fs'; writeFileSync(new URL('stuck', import.meta.url), ''); ${wait()}`,
  )
  await lab.writeAgentFile({ localTools: ['./stuck.mjs'] })
  await using editor = await lab.start({ script: join(copy, 'ostler.js') })
  await editor.initialize()
  await until('the module to be stuck', () => readFile(join(lab.path, 'stuck')).then(Boolean, () => false))
  await until('the thread', async () => (await threadsOf(editor.pid)) === 1)
  await rm(copy, { recursive: true })
  editor.closeInput()
  await until('the process to end', () => editor.child.signalCode !== null, endMsMax)
})

it.concurrent('a long tool call continues unless the process has to end', async () => {
  await using stuck = await openStuck(wait(7_000))
  for (const pid of stuck.family) process.kill(pid, 'SIGKILL')
  await stuck.lab.model.waitForRequests(2)
  expect(await isAlive(stuck.editor.pid)).toBe(true)
  expect(stuck.editor.stderr()).not.toContain('ended by force')
})

it.concurrent('a process that had nothing to do, and is stuck in its next work, ends as soon as any other', async () => {
  await using lab = await openAgentLab([{ toolCalls: [{ name: 'work__do', args: {} }] }])
  await lab.offer('work', ['do'])
  await lab.writeAgentFile({
    mcpServers: { work: { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...lab.command('work') } },
  })
  const asked = Promise.withResolvers<void>()
  await using editor = await lab.start({
    nodeArgs: [
      '--import',
      `data:text/javascript,process.on('SIGUSR2',()=>{process.getBuiltinModule('fs').writeSync(2,'stuck');${wait()}})`,
    ],
    onPermission() {
      asked.resolve()
      return new Promise<never>(() => {})
    },
  })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, '/help')
  // The watchdog looks twice a second, and rests if it finds nothing to do.
  await delay(2_000)
  void editor.prompt(sessionId, 'go').catch(() => undefined)
  await asked.promise
  editor.child.kill('SIGUSR2')
  await until('the main thread to be stuck', () => editor.stderr().includes('stuck'))
  editor.closeInput()
  await until('the process to end', () => editor.child.signalCode !== null, endMsMax)
  expect(await editor.exit).toEqual({ code: null, signal: 'SIGKILL' })
  expect(editor.stderr()).toContain('ended by force: the editor had closed the input')
})

it.concurrent('an open session without servers has no thread that waits for its end before its first prompt', async () => {
  await using editor = await openAcpProcess()
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: editor.home })
  // After this update, nothing is started for the session any more.
  await until('the commands', () => editor.updates(sessionId).length > 0)
  expect(await threadsOf(editor.pid)).toBe(0)
  await editor.prompt(sessionId, '/help')
  await until('the thread to start', async () => (await threadsOf(editor.pid)) === 1)
})

it.concurrent('a session with servers has a thread that waits for its end', async () => {
  await using editor = await openAcpProcess()
  await editor.initialize()
  await editor.newSession({
    cwd: editor.home,
    mcpServers: [{ name: 'silent', command: 'sleep', args: ['600'], env: [] }],
  })
  await until('the thread to start', async () => (await threadsOf(editor.pid)) === 1)
})

it.concurrent('a stored session has a thread that waits for its end', async () => {
  await using editor = await openAcpProcess()
  await editor.initialize()
  await load(editor, { sessionId: 'unknown', cwd: editor.home }).catch(() => undefined)
  await until('the thread to start', async () => (await threadsOf(editor.pid)) === 1)
})

async function threadsOf(pid: number): Promise<number> {
  const tasks = `/proc/${pid}/task`
  const names = await Promise.all(
    (await readdir(tasks)).map((task) => readFile(join(tasks, task, 'comm'), 'utf8').catch(() => '')),
  )
  return names.filter((name) => name === 'WorkerThread\n').length
}
