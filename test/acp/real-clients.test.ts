import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type ACPProviderSettings, createACPProvider } from '@mcpc-tech/acp-ai-provider'
import { generateText, streamText, type ToolSet } from 'ai'
import { expect, test } from 'vitest'
import { openState } from '../../packages/agent-api/src/state/open-state.ts'
import { baseEnv, ostlerScript } from '../support/acp-harness.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import { processesWithArgument, until } from '../support/processes.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'
import { textOf } from '../support/loopback-model/script.ts'

/** Clients that other people wrote, as they are on npm. */

const acpxScript = join(
  dirname(createRequire(import.meta.url).resolve('acpx/package.json')),
  'dist',
  'cli.js',
)

/** `write` writes a file, `hang` never ends, and anything else is answered with what the person has said so far. */
function script({ messages }: ModelRequest): Reply {
  const last = messages.at(-1)
  const said = messages.filter(({ role }) => role === 'user').map((message) => textOf(message))
  if (last?.parts.some(({ type }) => type === 'tool_result')) return { text: 'the tool has answered' }
  if (textOf(last).includes('write'))
    return { toolCalls: [{ name: 'write_file', args: { path: 'new.txt', content: 'written' } }] }
  if (textOf(last).includes('hang')) return { text: 'begun', hang: 'after_text' }
  return { text: `you said: ${said.map((text) => text.replace(/\s+/g, ' ').trim()).join(' / ')}` }
}

/** The time that acpx keeps Ostler after a prompt. No prompt follows another in it, so it is short. */
const ownerSeconds = '1'

/** Runs acpx to its end. Its output is that of both streams. */
type Acpx = (...args: readonly string[]) => Promise<{ readonly code: number | null; readonly output: string }>

interface AcpxLab {
  readonly acpx: Acpx
  readonly project: string
  /** No process of Ostler is left, and acpx has given up the session that it kept one for. */
  isIdle(): Promise<boolean>
}

async function openAcpx(lab: AgentLab): Promise<AcpxLab> {
  const home = join(lab.path, 'home')
  const project = join(lab.path, 'project')
  const stateDir = join(lab.path, 'state')
  for (const path of [home, project]) await mkdir(path)
  await lab.writeAgentFile({})
  const agent = [
    process.execPath,
    ostlerScript,
    'acp',
    '--agent',
    join(lab.path, 'ostler.json'),
    '--state-dir',
    stateDir,
  ].join(' ')
  const acpx: Acpx = async (...args) => {
    const child = spawn(
      process.execPath,
      [acpxScript, '--agent', agent, '--cwd', project, '--ttl', ownerSeconds, ...args],
      {
        env: { ...baseEnv, ...lab.model.env, HOME: home },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    return { code, output }
  }
  const isIdle = async () => {
    const locks = (await readdir(join(home, '.acpx', 'queues'))).filter((name) => name.endsWith('.lock'))
    return locks.length === 0 && (await processesWithArgument(stateDir)).length === 0
  }
  return { acpx, project, isIdle }
}

test('acpx: one prompt, with a call that it denies', async () => {
  await using lab = await openAgentLab(script)
  const { acpx, project } = await openAcpx(lab)
  const { output } = await acpx('--deny-all', 'exec', 'write')
  expect(output).toContain('the tool has answered')
  expect(existsSync(join(project, 'new.txt'))).toBe(false)
})

test('acpx: a session is cancelled, and continues in another process of Ostler, with a call that it allows', async () => {
  await using lab = await openAgentLab(script)
  const { acpx, project, isIdle } = await openAcpx(lab)
  expect(await acpx('sessions', 'new')).toMatchObject({ code: 0 })
  const hanging = acpx('prompt', 'hang')
  await until('the model is asked', () =>
    lab.model.requests.some(({ messages }) => textOf(messages.at(-1)).includes('hang')),
  )
  expect(await acpx('cancel')).toMatchObject({ code: 0 })
  await hanging
  await until('acpx has ended the process', isIdle)

  expect(await acpx('--approve-all', 'prompt', 'write')).toMatchObject({
    code: 0,
    output: expect.stringContaining('the tool has answered'),
  })
  expect(
    lab.model.requests
      .at(-1)
      ?.messages.map((message) => textOf(message))
      .join('\n'),
  ).toMatch(/hang[^]*write/)
  expect(await readFile(join(project, 'new.txt'), 'utf8')).toBe('written')
  await until('nothing is left', isIdle)
})

test('acp-ai-provider: a call is allowed once, a stream is cancelled, and the session continues in another process', async () => {
  await using lab = await openAgentLab(script)
  await lab.writeAgentFile({ approval: { mode: 'always-ask' } })
  const { stateDir, open } = sdkClient(lab)
  const first = open({ persistSession: true })
  const { text } = await generateText({
    model: first.languageModel(),
    prompt: 'write',
    tools: first.tools as ToolSet,
  })
  expect(text).toContain('the tool has answered')
  expect(await readFile(join(lab.path, 'new.txt'), 'utf8')).toBe('written')
  const existingSessionId = first.getSessionId() ?? ''
  const stream = streamText({ model: first.languageModel(), prompt: 'hang' }).textStream.getReader()
  expect((await stream.read()).value).toMatch(/^be/)
  await stream.cancel()
  first.cleanup()
  await until('nothing is left', async () => (await processesWithArgument(stateDir)).length === 0)
  using history = openState({ stateDir })
  const calls = history.calls.list({ limit: 9 })
  expect(calls).toMatchObject([
    { tool: 'write_file', status: 'success', decision: 'allow', rule: expect.stringContaining('person') },
  ])

  const next = open({ existingSessionId })
  try {
    const again = await generateText({ model: next.languageModel(), prompt: 'again' })
    expect(again.text).toMatch(/you said: .*write.*hang.*again/)
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
