import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fixtureServer } from '../../support/agent-files.ts'
import { startLoopbackModel } from '../../support/loopback-model/index.ts'
import { openTempDir } from '../../support/temp-dir.ts'
import { initialize, openSession, prompt, startOstler } from '../agents.ts'
import type { LineClient } from '../line-client.ts'
import { startChunkModel } from '../start-chunk-model.ts'
import type { Curve } from './curve.ts'
import { costOf, measureSizes, type Size } from './processor-time.ts'
import { storeSession } from './store-session.ts'

const cpu = 'ms of processor time'
const rounds = 9
const linear = 1.1
const constant = 0.2
const toolsPerServer = 1_000

const messages = [10, 100, 1_000, 10_000]
const updates = [100, 1_000, 10_000, 100_000]
const sessions = [1, 20, 200]
const tools = [10, 50, 500, 5_000]
/** A message of an MCP server has at most 10 MiB. */
const resultChars = [10_000, 100_000, 1_000_000, 9_500_000]

/** A prompt in a session with a past. */
export async function measureTurns(): Promise<Curve> {
  await using agents = await openAgents()
  const sizes: Size[] = []
  for (const x of messages) {
    const client = await agents.start(`${x}`, (dir) =>
      storeSession(dir, { id: 'past', cwd: dir, turns: x / 2, updatesPerTurn: 1 }),
    )
    await loadPast(client, agents.path)
    sizes.push({ x, cost: () => costOf(client, () => prompt(client, 'past')) })
  }
  const points = await measureSizes(sizes, rounds)
  return {
    id: 'turns',
    title: 'A prompt in a session with a past',
    x: 'messages in the conversation, all of which the model reads',
    y: cpu,
    slopeMax: linear,
    series: [{ name: 'a prompt', points }],
  }
}

/** `session/load` replays the session for the editor. */
export async function measureLoads(): Promise<Curve> {
  await using agents = await openAgents()
  const perTurn = 9
  const sizes: Size[] = []
  for (const x of updates) {
    const client = await agents.start(`${x}`, (dir) =>
      storeSession(dir, { id: 'past', cwd: dir, turns: x / (perTurn + 1), updatesPerTurn: perTurn }),
    )
    sizes.push({
      x,
      async cost() {
        const cost = await costOf(client, () => loadPast(client, agents.path))
        await client.request('session/close', { sessionId: 'past' })
        return cost
      },
    })
  }
  return {
    id: 'loads',
    title: 'Loading a session',
    x: 'updates that the editor gets',
    y: cpu,
    slopeMax: linear,
    series: [{ name: 'session/load', points: await measureSizes(sizes, 3, 1) }],
  }
}

/** One more session, and a prompt, in a process that has many. */
export async function measureSessions(): Promise<Curve> {
  await using agents = await openAgents()
  const [opened, prompted]: [Size[], Size[]] = [[], []]
  for (const x of sessions) {
    const client = await agents.start(`${x}`)
    let id = ''
    for (let index = 0; index < x; index++) {
      id = await openSession(client, agents.path)
      await prompt(client, id)
    }
    prompted.push({ x, cost: () => costOf(client, () => prompt(client, id)) })
    opened.push({
      x,
      async cost() {
        let sessionId = ''
        const cost = await costOf(client, async () => (sessionId = await openSession(client, agents.path)))
        await client.request('session/close', { sessionId })
        return cost
      },
    })
  }
  return {
    id: 'sessions',
    title: 'Many sessions in one process',
    x: 'open sessions',
    y: cpu,
    slopeMax: constant,
    series: [
      { name: 'a prompt', points: await measureSizes(prompted, 3 * rounds) },
      { name: 'session/new', points: await measureSizes(opened, 3 * rounds) },
    ],
  }
}

/** A prompt with the tools of servers. */
export async function measureTools(): Promise<Curve> {
  await using agents = await openAgents()
  const sizes: Size[] = []
  for (const x of tools) {
    const servers = []
    for (let first = 0; first < x; first += toolsPerServer) {
      const list = join(agents.path, `tools-${x}-${first}.json`)
      await writeFile(list, JSON.stringify(toTools(first, Math.min(x, first + toolsPerServer))))
      servers.push({
        name: `server${first}`,
        command: process.execPath,
        args: [fixtureServer('changing-server.mjs'), list, 'silent'],
        env: [],
      })
    }
    const client = await agents.start(`${x}`)
    const id = await openSession(client, agents.path, servers)
    sizes.push({ x, cost: () => costOf(client, () => prompt(client, id)) })
  }
  return {
    id: 'tools',
    title: 'A prompt with many tools',
    x: 'tools of the servers of the session',
    y: cpu,
    slopeMax: linear,
    series: [{ name: 'a prompt', points: await measureSizes(sizes, rounds, 4) }],
  }
}

/** A prompt with a call whose result is large. */
export async function measureResults(): Promise<Curve> {
  await using folder = await openTempDir('ostler-bench-')
  await using model = await startLoopbackModel({
    vendor: 'openai',
    script({ messages: past, tools: offered }) {
      const last = past.at(-1)
      const chars = last?.role === 'user' ? Number(/chars (\d+)/.exec(JSON.stringify(last.parts))?.[1]) : NaN
      const name = offered.find((tool) => tool.name.includes('text'))?.name
      return Number.isNaN(chars) || name === undefined
        ? { text: ['done'] }
        : { toolCalls: [{ name, args: { chars } }] }
    },
  })
  await using client = startOstler({ stateDir: folder.path, model })
  await initialize(client)
  const script = join(import.meta.dirname, 'sized-results.mjs')
  const server = { name: 'sized', command: process.execPath, args: [script], env: [] }
  const sizes: Size[] = []
  for (const x of resultChars) {
    const id = await openSession(client, folder.path, [server])
    sizes.push({ x, cost: () => costOf(client, () => prompt(client, id, `chars ${x}`)) })
  }
  return {
    id: 'results',
    title: 'A call with a large result',
    x: 'characters of the result',
    y: cpu,
    slopeMax: linear,
    series: [{ name: 'a prompt with the call', points: await measureSizes(sizes, rounds) }],
  }
}

async function loadPast(client: LineClient, cwd: string): Promise<void> {
  await client.request('session/load', { sessionId: 'past', cwd, mcpServers: [] })
}

/** Agents with a state directory each, all of which end together. */
async function openAgents() {
  const stack = new AsyncDisposableStack()
  const folder = stack.use(await openTempDir('ostler-bench-'))
  const model = stack.use(await startChunkModel((send) => send('hello')))
  return {
    path: folder.path,
    async start(name: string, prepare?: (stateDir: string) => Promise<void>): Promise<LineClient> {
      const stateDir = join(folder.path, name)
      await prepare?.(stateDir)
      const client = stack.use(startOstler({ stateDir, model }))
      await initialize(client)
      return client
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  }
}

function toTools(from: number, until: number): readonly object[] {
  return Array.from({ length: until - from }, (_, index) => ({
    name: `tool_${from + index}`,
    description: `Reads or changes ticket ${from + index}`,
    inputSchema: { type: 'object', properties: { id: { type: 'string' }, limit: { type: 'integer' } } },
  }))
}
