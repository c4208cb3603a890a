import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startLoopbackModel, type LoopbackModel } from '../support/loopback-model/index.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { startLineClient, type LineClient, type Params } from './line-client.ts'
import { compare, median, timed } from './measure.ts'

/**
 * Measures start-up, first prompt and round trips of the built command, as ratios within one run: milliseconds depend on the machine,
 * ratios do not. A missed bar is marked, and sets the exit code.
 */
const command = join(import.meta.dirname, '../../packages/cli/dist/ostler.js')
const slowServer = join(import.meta.dirname, '../fixtures/servers/slow-start.mjs')
const startRounds = 20
const promptRounds = 200
const chunkCount = 20_000
const serverStartMs = 300

await using folder = await openTempDir('ostler-bench-')
await using model = await startLoopbackModel({ vendor: 'openai', script: () => ({ text: ['hello'] }) })
const stateArgs = ['--state-dir', join(folder.path, 'state')]

console.log(
  `node ${process.version}, ${process.platform} ${process.arch}, median of ${startRounds} interleaved starts\n`,
)
await benchStart()
await benchFirstPrompt()
await benchKnownServers()
await benchAgentServers()
await benchRoundTrip()
await benchChunks()

async function benchStart(): Promise<void> {
  const times = await compare(startRounds, {
    bare: () => timed(async () => once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')),
    initialize: () => measureStart((client) => initialize(client)),
    session: () => measureStart(async (client) => (await initialize(client), openSession(client, []))),
  })
  console.log(`bare node -e 0                        ${ms(times.bare)}`)
  report('spawn → initialize answered', times.initialize, times.initialize / times.bare, 2.5, '× bare node')
  report('spawn → session/new answered', times.session, times.session / times.bare, 4.5, '× bare node')
}

/** The clock stops when the answer arrives. Ending the process does not count. */
async function measureStart(reach: (client: LineClient) => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await using client = startAgent('offline')
  await reach(client)
  return performance.now() - started
}

async function benchFirstPrompt(): Promise<void> {
  const times = await compare(5, { one: () => measureFirstPrompt(1), five: () => measureFirstPrompt(5) })
  console.log(`\nfirst prompt, one server of ${serverStartMs} ms    ${ms(times.one)}`)
  report(`first prompt, five of ${serverStartMs} ms`, times.five, times.five / times.one, 1.5, '× one server')
}

/** Every process has a new state, so that it knows no server. */
async function measureFirstPrompt(servers: number): Promise<number> {
  await using state = await openTempDir('ostler-bench-')
  return promptWith(slowServers(servers), state.path)
}

/** Measures what servers add to the first prompt of a process that has met them before. */
async function benchKnownServers(): Promise<void> {
  await using state = await openTempDir('ostler-bench-')
  const gate = join(state.path, 'gate')
  const hanging = slowServers(1).map((server) => ({
    ...server,
    name: 'hanging',
    args: [slowServer, '0', 'slow9', gate],
  }))
  await promptWith(slowServers(5), state.path)
  await promptWith(hanging, state.path)
  await writeFile(gate, '')
  const times = await compare(20, {
    none: () => promptWith([], state.path),
    five: () => promptWith(slowServers(5), state.path),
    hanging: () => promptWith(hanging, state.path),
  })
  console.log(`\nfirst prompt without servers          ${ms(times.none)}`)
  report(
    `with five known of ${serverStartMs} ms, over it`,
    times.five - times.none,
    times.five - times.none,
    10,
    'ms',
  )
  report(
    'with a known one that hangs, over it',
    times.hanging - times.none,
    times.hanging - times.none,
    10,
    'ms',
  )
}

function slowServers(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    name: `slow${index}`,
    command: process.execPath,
    args: [slowServer, String(serverStartMs), `slow${index}`],
    env: [],
  }))
}

/** From the request for a session to the end of its first prompt, whose model must be offered the tools of every server. */
async function promptWith(mcpServers: readonly object[], stateDir: string): Promise<number> {
  await using client = startAgent(model.modelId, model, ['--state-dir', stateDir])
  await initialize(client)
  const before = model.requests.length
  const started = performance.now()
  const sessionId = await openSession(client, mcpServers)
  await prompt(client, sessionId)
  const taken = performance.now() - started
  const offered = model.requests[before]?.tools.filter(({ name }) => name.includes('slow')).length
  if (offered !== mcpServers.length)
    throw new Error(`${offered} of ${mcpServers.length} servers' tools were offered to the first step`)
  return taken
}

/**
 * Measures what an agent's servers add to its start, beyond the time that the slowest needs alone: from the start to the first answered
 * prompt.
 */
async function benchAgentServers(): Promise<void> {
  const agentFile = join(folder.path, 'ostler.json')
  const server = (name: string, wait: number) => ({
    type: 'stdio',
    mode: 'dynamic',
    defaultToolConfig: {},
    command: process.execPath,
    args: [slowServer, String(wait), name],
  })
  const mcpServers = Object.fromEntries(
    [0, 50, 100, 200, serverStartMs].map((wait) => [`slow${wait}`, server(`slow${wait}`, wait)]),
  )
  const measure = async (servers: Record<string, object>) => {
    await writeFile(agentFile, JSON.stringify({ model: model.modelId, mcpServers: servers }))
    const started = performance.now()
    await using client = startAgent(model.modelId, model, ['--agent', agentFile])
    await initialize(client)
    await prompt(client, await openSession(client, []))
    const taken = performance.now() - started
    const offered = model.requests.at(-1)?.tools.filter(({ name }) => name.startsWith('slow')).length
    if (offered !== Object.keys(servers).length)
      throw new Error(`${offered} of the agent servers' tools were offered to the first step`)
    return taken
  }
  const times = await compare(10, {
    slowest: () => timed(() => listToolsOf([slowServer, String(serverStartMs), 'slow'])),
    none: () => measure({}),
    all: () => measure(mcpServers),
  })
  console.log(`\nthe slowest of five servers, alone    ${ms(times.slowest)}`)
  console.log(`agent without them, first prompt      ${ms(times.none)}`)
  console.log(`agent with all five, first prompt     ${ms(times.all)}`)
  const added = times.all - times.none - times.slowest
  report('added beyond the slowest', added, added, 100, 'ms')
}

/** Asks the server directly. */
async function listToolsOf(args: readonly string[]): Promise<void> {
  await using client = startLineClient(process.execPath, args)
  await client.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  })
  await client.request('tools/list', {})
}

async function benchRoundTrip(): Promise<void> {
  await using client = startAgent(model.modelId)
  await initialize(client)
  const sessionId = await openSession(client, [])
  const through: number[] = []
  const raw: number[] = []
  for (let round = 0; round < promptRounds; round++) {
    // A new session from time to time, so that a growing conversation does not affect the result.
    const id = round % 20 === 0 ? await openSession(client, []) : sessionId
    through.push(await timed(() => prompt(client, id)))
    raw.push(await timed(() => callModel(model)))
  }
  console.log(`\nraw HTTP call to the model            ${ms(median(raw))}`)
  const over = median(through) - median(raw)
  report('prompt round trip over it', over, over, 10, 'ms')
}

async function benchChunks(): Promise<void> {
  const chunks = Array.from({ length: chunkCount }, (_, index) => `${index} `)
  await using chatty = await startLoopbackModel({ vendor: 'openai', script: [{ text: chunks }] })
  await using client = startAgent(chatty.modelId, chatty)
  await initialize(client)
  const sessionId = await openSession(client, [])
  let said = ''
  client.onUpdate = (update) => {
    if (update['sessionUpdate'] === 'agent_message_chunk')
      said += (update['content'] as { text: string }).text
  }
  const taken = await timed(() => prompt(client, sessionId))
  const lost = said === chunks.join('') ? 0 : chunkCount - said.split(' ').filter(Boolean).length || 1
  console.log(`\n${chunkCount} streamed chunks               ${ms(taken)}`)
  report('chunks lost', lost, lost, 0, 'chunks')
}

function startAgent(modelId: string, at: LoopbackModel = model, args: readonly string[] = []): LineClient {
  const state = args.includes('--state-dir') ? [] : stateArgs
  return startLineClient(process.execPath, [command, 'acp', '--model', modelId, ...state, ...args], {
    ...process.env,
    ...at.env,
  })
}

function initialize(client: LineClient): Promise<Params> {
  return client.request('initialize', { protocolVersion: 1, clientCapabilities: {} })
}

async function openSession(client: LineClient, mcpServers: readonly object[]): Promise<string> {
  const { sessionId } = await client.request('session/new', { cwd: folder.path, mcpServers })
  return String(sessionId)
}

async function prompt(client: LineClient, sessionId: string): Promise<void> {
  const { stopReason } = await client.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'hello' }],
  })
  if (stopReason !== 'end_turn') throw new Error(`the prompt ended with ${String(stopReason)}`)
}

async function callModel({ url }: LoopbackModel): Promise<void> {
  const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'hello' }] }
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
    body: JSON.stringify(body),
  })
  await response.text()
}

function report(what: string, value: number, figure: number, bar: number, unit: string): void {
  const met = figure <= bar
  if (!met) process.exitCode = 1
  const shown = unit === 'chunks' ? `${value}` : ms(value)
  console.log(
    `${what.padEnd(36)}  ${shown}   ${figure.toFixed(unit === 'chunks' ? 0 : 2)} ${unit} (bar ${bar})${met ? '' : '   NOT MET'}`,
  )
}

function ms(value: number): string {
  return `${value.toFixed(1).padStart(7)} ms`
}
