import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { initialize, openSession, prompt } from '../agents.ts'
import { failures, type LineClient } from '../line-client.ts'
import { median, timed } from '../measure.ts'
import { cpuMsOf, pssOf } from '../process-cost.ts'
import { callPrompt, newServers } from '../quick/servers.ts'
import { chunks, streamChunks } from '../stream-chunks.ts'
import type { Stage } from './open-stage.ts'
import { agentProcessesOf } from './run-processes.ts'
import { chunkPrompt } from './scripted-model.ts'

export interface Row {
  readonly id: string
  readonly what: string
  readonly unit: 'ms' | 'MiB' | 'per second' | 'count'
  /** By default, the least. */
  readonly best?: 'most' | 'none'
}

export type Note = (id: string, value: number) => void

/** One start of an agent, which measures some rows. */
export interface Trial {
  readonly rows: readonly Row[]
  /** How often it is repeated, at most. */
  readonly rounds: number
  readonly run: (stage: Stage, note: Note) => Promise<void>
}

const waitMs = 300
const repeats = 9
const furtherSessions = 10
const serversPerSession = 3
const settleMs = 4_000
const chunkCount = chunks.toLocaleString('en')
const serverScript = 'slow-start.mjs'

export const trials: readonly Trial[] = [
  {
    rounds: Infinity,
    run: runStart,
    rows: [
      { id: 'initialize', what: 'start until `initialize` is answered', unit: 'ms' },
      { id: 'session', what: 'start until `session/new` is answered', unit: 'ms' },
      { id: 'later', what: 'a later `session/new`', unit: 'ms' },
      { id: 'prompt', what: 'a prompt until its end', unit: 'ms' },
      { id: 'call', what: 'a prompt with a tool call and its question', unit: 'ms' },
    ],
  },
  {
    rounds: Infinity,
    run: runServers,
    rows: [
      { id: 'five', what: `\`session/new\` with five unknown servers of ${waitMs} ms`, unit: 'ms' },
      { id: 'first', what: 'the first prompt with them, calling a tool of one', unit: 'ms' },
      { id: 'left', what: 'processes left 5 s after the end of the input', unit: 'count' },
    ],
  },
  {
    rounds: Infinity,
    run: runChunks,
    rows: [
      { id: 'rate', what: `${chunkCount} chunks of text`, unit: 'per second', best: 'most' },
      { id: 'cpu', what: `processor time for ${chunkCount} chunks`, unit: 'ms' },
      { id: 'updates', what: `updates for ${chunkCount} chunks`, unit: 'count', best: 'none' },
    ],
  },
  {
    rounds: 3,
    run: runMemory,
    rows: [
      { id: 'one', what: 'memory of one session (PSS)', unit: 'MiB' },
      { id: 'each', what: `memory of each further session, with ${serversPerSession} servers`, unit: 'MiB' },
    ],
  },
  {
    rounds: 3,
    run: runHanging,
    rows: [
      { id: 'hanging', what: '`session/new` beside a server that never answers', unit: 'ms' },
      { id: 'beside', what: 'the first prompt beside it', unit: 'ms' },
    ],
  },
]

async function runStart(stage: Stage, note: Note): Promise<void> {
  const started = performance.now()
  await using agent = stage.start()
  const { client } = agent
  await initialize(client)
  note('initialize', performance.now() - started)
  const id = await openSession(client, stage.cwd)
  note('session', performance.now() - started)
  // The first prompt loads code.
  await prompt(client, id)
  note('later', await medianOf(() => openSession(client, stage.cwd)))
  note('prompt', await medianOf(() => prompt(client, id)))
  const serving = await openSession(client, stage.cwd, newServers(1, 0))
  // The server may still be starting.
  for (let again = 0; again < repeats && !(await promptCalls(client, serving)); again++);
  note(
    'call',
    await medianOf(async () => {
      if (!(await promptCalls(client, serving))) throw new Error('no tool was called with a question')
    }),
  )
}

async function runServers(stage: Stage, note: Note): Promise<void> {
  await using agent = stage.start()
  const { client } = agent
  await initialize(client)
  const started = performance.now()
  const id = await openSession(client, stage.cwd, newServers(5, waitMs))
  note('five', performance.now() - started)
  const opened = performance.now()
  const hasCalled = await promptCalls(client, id)
  const promptedMs = performance.now() - opened
  note('left', await agent.end())
  if (!hasCalled) throw new Error('the first prompt called no tool with a question')
  note('first', promptedMs)
}

async function runChunks(stage: Stage, note: Note): Promise<void> {
  await using agent = stage.start()
  const { client } = agent
  await initialize(client)
  const id = await openSession(client, stage.cwd)
  await prompt(client, id)
  const { takenMs, cpuMs, updates } = await streamChunks(client, id, chunkPrompt, () => sum(stage, cpuMsOf))
  note('rate', (1_000 * chunks) / takenMs)
  note('cpu', cpuMs)
  note('updates', updates)
}

async function runMemory(stage: Stage, note: Note): Promise<void> {
  await using agent = stage.start()
  const { client } = agent
  await initialize(client)
  await prompt(client, await openSession(client, stage.cwd))
  await sleep(settleMs)
  const one = sum(stage, pssOf)
  note('one', one / 1_024 ** 2)
  for (let index = 0; index < furtherSessions; index++)
    await openSession(client, stage.cwd, newServers(serversPerSession, 0))
  await sleep(settleMs)
  note('each', (sum(stage, pssOf) - one) / furtherSessions / 1_024 ** 2)
}

async function runHanging(stage: Stage, note: Note): Promise<void> {
  const gate = join(stage.folder, 'gate')
  await writeFile(gate, '')
  try {
    await using agent = stage.start()
    const { client } = agent
    await initialize(client)
    let id = ''
    const opened = await timedWithin(async () => {
      id = await openSession(client, stage.cwd, newServers(1, 0, gate))
    })
    note('hanging', opened)
    if (opened === Infinity) throw new Error('no session was opened')
    note('beside', await timedWithin(() => prompt(client, id)))
  } finally {
    await rm(gate)
  }
}

/** That there is no answer within the limit is a measurement as well. */
async function timedWithin(run: () => Promise<unknown>): Promise<number> {
  try {
    return await timed(run)
  } catch (error) {
    if (!String(error).includes(failures.late)) throw error
    return Infinity
  }
}

/** Whether the prompt asked a question and completed a call. */
async function promptCalls(client: LineClient, sessionId: string): Promise<boolean> {
  let [hasAsked, hasCompleted] = [false, false]
  client.onQuestion = () => (hasAsked = true)
  client.onUpdate = (update) => {
    const isCall = update['sessionUpdate'] === 'tool_call' || update['sessionUpdate'] === 'tool_call_update'
    hasCompleted ||= isCall && update['status'] === 'completed'
  }
  await prompt(client, sessionId, callPrompt)
  return hasAsked && hasCompleted
}

async function medianOf(run: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let index = 0; index < repeats; index++) taken.push(await timed(run))
  return median(taken)
}

/** Of all processes of the agent. One that has just ended counts nothing. */
function sum(stage: Stage, measure: (pid: number) => number): number {
  return agentProcessesOf(stage.folder, serverScript).reduce((total, pid) => {
    try {
      return total + measure(pid)
    } catch {
      return total
    }
  }, 0)
}
