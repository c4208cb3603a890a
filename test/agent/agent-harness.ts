import { join } from 'node:path'
import {
  createAgent,
  type Agent,
  type AgentConfig,
  type AgentServer,
  type ChatSession,
  type McpServerConfig,
  type StdioServerConfig,
  type TurnEvent,
} from '@ostler/agent-api'
import { startLoopbackModel, type LoopbackModel, type Script } from '../support/loopback-model/index.ts'
import { everythingScript } from '../support/program-path.ts'
import { quickTiming } from '../support/quick-timing.ts'
import { openTempDir } from '../support/temp-dir.ts'

export interface AgentSetup extends AsyncDisposable {
  readonly agent: Agent
  readonly model: LoopbackModel
  readonly folder: string
}

/** Opens an agent on a scripted model, with its own folder. Its tools are admitted unless their mode says otherwise. */
export async function openAgent(script: Script, { tools, ...config }: AgentConfig = {}): Promise<AgentSetup> {
  const folder = await openTempDir()
  const model = await startLoopbackModel({ vendor: 'anthropic', script })
  const agent = createAgent({
    model: model.modelId,
    env: model.env,
    mode: 'auto',
    connectWaitMs: 20_000,
    tools: openTools(tools),
    timing: quickTiming,
    ...config,
  })
  return {
    agent,
    model,
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

function openTools(tools: AgentConfig['tools'] = []): AgentConfig['tools'] {
  return 'mode' in tools ? tools : { mode: 'open', tools }
}

export function everythingServer(name = 'everything'): StdioServerConfig {
  return stdio(name, everythingScript(), 'stdio')
}

/** A server that offers one tool, `NAME_tool`, after a delay. */
export function slowServer(name: string, startMs: number): StdioServerConfig {
  return stdio(name, join(import.meta.dirname, '../fixtures/servers/slow-start.mjs'), String(startMs), name)
}

function stdio(name: string, ...args: string[]): StdioServerConfig {
  return { type: 'stdio', name, command: process.execPath, args, env: {} }
}

/** A server of the agent, whose tools are admitted with the usual limits. */
export function agentServer(config: McpServerConfig, over: Partial<AgentServer> = {}): AgentServer {
  return { config, mode: 'dynamic', defaultToolConfig: {}, ...over }
}

/** Returns all events of one prompt, in order. */
export async function promptText(
  session: ChatSession,
  text: string,
  signal?: AbortSignal,
): Promise<TurnEvent[]> {
  return await Array.fromAsync(session.prompt([{ type: 'text', text }], { signal }))
}

export function textOf(events: readonly TurnEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('')
}

export function lastOf(events: readonly TurnEvent[]): TurnEvent | undefined {
  return events.at(-1)
}

/** The ends of a turn's calls. */
export function endsOf(events: readonly TurnEvent[]): (string | undefined)[] {
  return events.flatMap((event) =>
    event.type === 'tool_call_update' && event.update.end !== undefined ? [event.update.end] : [],
  )
}
