import { join } from 'node:path'
import { startLoopbackModel, type LoopbackModel } from '../../support/loopback-model/index.ts'
import { initialize, openSession, prompt, startOstler } from '../agents.ts'

const script = join(import.meta.dirname, '../../fixtures/servers/slow-start.mjs')
/** The prompt for which the model calls the tool of the first server. */
export const callPrompt = 'call the tool of server0'

/** MCP servers that take this long to answer `initialize`. */
export function slowServers(count: number, waitMs: number, gate?: string) {
  return Array.from({ length: count }, (_, index) => ({
    name: `server${index}`,
    command: process.execPath,
    args: [script, String(waitMs), `server${index}`, ...(gate === undefined ? [] : [gate])],
    env: [],
  }))
}

let met = 0

/** Servers that no agent has met before. */
export function newServers(count: number, waitMs: number, gate?: string) {
  const env = [{ name: 'OSTLER_BENCH_STRANGER', value: String(++met) }]
  return slowServers(count, waitMs, gate).map((server) => ({ ...server, env }))
}

/** A model that answers, and calls a tool if the prompt says so. */
export function startCallingModel(): Promise<LoopbackModel> {
  return startLoopbackModel({
    vendor: 'openai',
    script: ({ messages, tools }) => {
      const last = messages.at(-1)
      const name = tools.find((tool) => tool.name.includes('server0'))?.name
      const isAsked = last?.role === 'user' && JSON.stringify(last.parts).includes(callPrompt)
      if (isAsked && name === undefined) throw new Error('the tool of server0 was not offered')
      return isAsked && name !== undefined ? { toolCalls: [{ name, args: {} }] } : { text: ['hello'] }
    },
  })
}

export interface FirstPrompt {
  readonly opened: number
  readonly prompted: number
}

/** Opens a session with servers, and sends its first prompt. */
export async function firstPrompt(
  model: LoopbackModel,
  stateDir: string,
  mcpServers: readonly object[],
  text?: string,
): Promise<FirstPrompt> {
  await using client = startOstler({ stateDir, model })
  await initialize(client)
  const started = performance.now()
  const id = await openSession(client, stateDir, mcpServers)
  const opened = performance.now()
  await prompt(client, id, text)
  return { opened: opened - started, prompted: performance.now() - opened }
}
