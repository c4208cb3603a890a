import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type ACPProviderSettings, createACPProvider } from '@mcpc-tech/acp-ai-provider'
import { generateText, streamText, type ToolSet } from 'ai'
import { expect, test } from 'vitest'
import { runOstler } from '../cli/run-ostler.ts'
import { baseEnv, ostlerScript } from '../support/acp-harness.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import { processesWithArgument, until } from '../support/processes.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'
import { textOf } from '../support/loopback-model/script.ts'

/** Clients that other people wrote, as they are on npm. */

const acpxScript = join(dirname(createRequire(import.meta.url).resolve('acpx/package.json')), 'dist', 'cli.js')

/** `write` writes a file, `hang` never ends, and anything else is answered with what the person has said so far. */
function script({ messages }: ModelRequest): Reply {
  const last = messages.at(-1)
  const said = messages.filter(({ role }) => role === 'user').map((message) => textOf(message))
  if (last?.parts.some(({ type }) => type === 'tool_result')) return { text: 'the tool has answered' }
  if (textOf(last).includes('write')) return { toolCalls: [{ name: 'write_file', args: { path: 'new.txt', content: 'written' } }] }
  if (textOf(last).includes('hang')) return { text: 'begun', hang: 'after_text' }
  return { text: `you said: ${said.map((text) => text.replace(/\s+/g, ' ').trim()).join(' / ')}` }
}

/** The time that acpx keeps Ostler after a prompt. It is long, so that the next prompt does not meet an agent that is ending. */
const ownerSeconds = '6'

/** Runs acpx to its end. Its output is that of both streams. */
type Acpx = (...args: readonly string[]) => Promise<{ readonly code: number | null; readonly output: string }>

async function openAcpx(lab: AgentLab): Promise<{ readonly acpx: Acpx; readonly project: string; readonly stateDir: string }> {
  const home = join(lab.path, 'home')
  const project = join(lab.path, 'project')
  const stateDir = join(lab.path, 'state')
  for (const path of [home, project]) await mkdir(path)
  await lab.writeAgentFile({})
  const agent = [process.execPath, ostlerScript, 'acp', '--agent', join(lab.path, 'ostler.json'), '--state-dir', stateDir].join(' ')
  const acpx: Acpx = async (...args) => {
    const child = spawn(process.execPath, [acpxScript, '--agent', agent, '--cwd', project, '--ttl', ownerSeconds, ...args], {
      env: { ...baseEnv, ...lab.model.env, HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    return { code, output }
  }
  return { acpx, project, stateDir }
}

test('acpx: one prompt, and a call that it allows or denies', async () => {
  await using lab = await openAgentLab(script)
  const { acpx, project } = await openAcpx(lab)
  expect(await acpx('exec', 'hello')).toMatchObject({ code: 0, output: expect.stringContaining('you said: hello') })

  await acpx('--deny-all', 'exec', 'write')
  expect(existsSync(join(project, 'new.txt'))).toBe(false)
  const allowed = await acpx('--approve-all', 'exec', 'write')
  expect(allowed.output).toContain('the tool has answered')
  expect(await readFile(join(project, 'new.txt'), 'utf8')).toBe('written')
})

test('acpx: a session is cancelled, and continues in another process of Ostler', async () => {
  await using lab = await openAgentLab(script)
  const { acpx, stateDir } = await openAcpx(lab)
  expect(await acpx('sessions', 'new')).toMatchObject({ code: 0 })
  await acpx('prompt', 'one')
  const hanging = acpx('prompt', 'hang')
  await until('the model is asked', () => lab.model.requests.some(({ messages }) => textOf(messages.at(-1)).includes('hang')))
  expect(await acpx('cancel')).toMatchObject({ code: 0 })
  await hanging
  await until('acpx has ended the process', async () => (await processesWithArgument(stateDir)).length === 0)

  const { output } = await acpx('prompt', 'two')
  expect(output).toMatch(/you said: one \/ .*two/)
  await until('nothing is left', async () => (await processesWithArgument(stateDir)).length === 0)
})

test('acp-ai-provider: Ostler is a model of the AI SDK, whose first answer to a question allows the call once', async () => {
  await using lab = await openAgentLab(script)
  await lab.writeAgentFile({ approval: { mode: 'always-ask' } })
  const { stateDir, open } = sdkClient(lab)
  const provider = open()
  try {
    const { text } = await generateText({ model: provider.languageModel(), prompt: 'hello' })
    expect(text).toContain('you said:')
    expect(text).toContain('hello')
    const called = await generateText({ model: provider.languageModel(), prompt: 'write', tools: provider.tools as ToolSet })
    expect(called.text).toContain('the tool has answered')
    expect(await readFile(join(lab.path, 'new.txt'), 'utf8')).toBe('written')
  } finally {
    provider.cleanup()
  }
  await until('nothing is left', async () => (await processesWithArgument(stateDir)).length === 0)
  const { stdout } = await runOstler(['history', '--json', '--state-dir', stateDir])
  expect(JSON.parse(stdout)).toMatchObject({ calls: [{ tool: 'write_file', status: 'success', decision: expect.objectContaining({}) }] })
})

test('acp-ai-provider: a stream that is cancelled leaves nothing behind, and its session continues in another process', async () => {
  await using lab = await openAgentLab(script)
  await lab.writeAgentFile({})
  const { stateDir, open } = sdkClient(lab)
  const first = open({ persistSession: true })
  await generateText({ model: first.languageModel(), prompt: 'hello' })
  const existingSessionId = first.getSessionId() ?? ''
  const stream = streamText({ model: first.languageModel(), prompt: 'hang' }).textStream.getReader()
  expect((await stream.read()).value).toMatch(/^be/)
  await stream.cancel()
  first.cleanup()
  await until('nothing is left', async () => (await processesWithArgument(stateDir)).length === 0)

  const next = open({ existingSessionId })
  try {
    const { text } = await generateText({ model: next.languageModel(), prompt: 'again' })
    expect(text).toMatch(/you said: .*hello.*hang.*again/)
  } finally {
    next.cleanup()
  }
  await until('nothing is left', async () => (await processesWithArgument(stateDir)).length === 0)
})

function sdkClient(lab: AgentLab) {
  const stateDir = join(lab.path, 'state')
  const open = (settings: Partial<ACPProviderSettings> = {}) =>
    createACPProvider({
      command: process.execPath,
      args: [ostlerScript, 'acp', '--agent', join(lab.path, 'ostler.json'), '--state-dir', stateDir],
      env: { ...baseEnv, ...lab.model.env, HOME: lab.path },
      authMethodId: 'environment',
      session: { cwd: lab.path, mcpServers: [] },
      ...settings,
    })
  return { stateDir, open }
}
