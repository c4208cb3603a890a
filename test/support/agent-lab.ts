import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Agent, AgentConfig, Logger } from '@ostler/agent-api'
import type { AcpInProcess } from './acp-harness.ts'
import type { AcpPeer, AcpPeerOptions } from './acp-peer.ts'
import { openAcpProcess, patientWaitMs, type AcpProcess, type AcpProcessOptions } from './acp-process.ts'
import {
  startLoopbackModel,
  type LoopbackModel,
  type LoopbackVendor,
  type Script,
} from './loopback-model/index.ts'
import { quickTiming } from './quick-timing.ts'
import type { Timing } from '../../packages/agent-api/src/base/timing.ts'
import { openTempDir } from './temp-dir.ts'

export const changingServer = fileURLToPath(
  new URL('../fixtures/servers/changing-server.mjs', import.meta.url),
)

/** A folder with an agent file, servers whose tools can be changed, and a state that outlives a process. */
export interface AgentLab extends AsyncDisposable {
  readonly path: string
  readonly model: LoopbackModel
  /** Sets the tools that a server offers from now on, or everything it offers. */
  offer(server: string, offer: readonly LabTool[] | LabOffer): Promise<void>
  /** The command of a server that offers them, for an agent file or an editor. */
  command(server: string): { command: string; args: string[] }
  /** The log of a server's tools. */
  log(server: string): Promise<string[]>
  writeAgentFile(file: object): Promise<void>
  /** Starts the real command. For tests about its exit, its output or its end. */
  start(options?: AcpProcessOptions): Promise<AcpProcess>
  /** Opens the same agent in this process, which takes a tenth of the time. */
  open(
    options?: AcpPeerOptions & {
      readonly env?: Readonly<Record<string, string>>
      readonly mcpOverAcp?: boolean
      readonly timing?: Partial<Timing>
    },
  ): Promise<AcpInProcess>
  /** Opens the agent alone in this process, without an editor. */
  openAgent(logger: Logger, env?: Readonly<Record<string, string>>): Promise<Agent>
}

export type LabTool =
  | string
  | {
      readonly name: string
      readonly description?: string
      readonly inputSchema?: object
      readonly annotations?: object
    }

export interface LabOffer {
  readonly tools?: readonly LabTool[]
  readonly prompts?: readonly object[]
  readonly templates?: readonly object[]
  readonly instructions?: string
}

/** The agent file's entry for a server of the lab. */
export function entryOf(lab: AgentLab, server: string, over: object = {}) {
  return { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...lab.command(server), ...over }
}

/** Initializes an editor, and opens a session in the folder of the lab. */
export async function openSession(
  editor: AcpPeer,
  lab: AgentLab,
  mcpServers: readonly unknown[] = [],
): Promise<string> {
  await editor.initialize()
  return (await editor.newSession({ cwd: lab.path, mcpServers })).sessionId
}

export async function openAgentLab(
  script: Script = () => ({ text: 'hello' }),
  vendor: LoopbackVendor = 'anthropic',
): Promise<AgentLab> {
  const dir = await openTempDir()
  const model = await startLoopbackModel({ vendor, script })
  const listOf = (server: string) => join(dir.path, `${server}.json`)
  const agentFile = join(dir.path, 'ostler.json')

  async function openAgentOf(
    logger: Logger,
    env: Readonly<Record<string, string>> = {},
    elicitModes?: AgentConfig['elicitModes'],
    timing: Partial<Timing> = {},
  ): Promise<Agent> {
    const [{ openAgent }, { editorToolNames }] = await Promise.all([
      import('@ostler/agent-api'),
      import('@ostler/acp-server'),
    ])
    const all = { PATH: process.env['PATH'], HOME: dir.path, ...model.env, ...env }
    return openAgent({
      file: agentFile,
      env: all,
      stateDir: join(dir.path, 'state'),
      sessionTools: editorToolNames,
      timing: { ...quickTiming, ...timing },
      ...(elicitModes && { elicitModes }),
      logger,
    })
  }

  return {
    path: dir.path,
    model,
    async offer(server, offer) {
      const { tools = [], ...others }: LabOffer = Array.isArray(offer)
        ? { tools: offer }
        : (offer as LabOffer)
      const complete = tools.map((tool) => (typeof tool === 'string' ? { name: tool } : tool))
      // Atomic, because the server may read at any moment.
      await writeFile(`${listOf(server)}.new`, JSON.stringify({ ...others, tools: complete }))
      await rename(`${listOf(server)}.new`, listOf(server))
    },
    command: (server) => ({ command: process.execPath, args: [changingServer, listOf(server)] }),
    log: async (server) =>
      (await readFile(`${listOf(server)}.log`, 'utf8').catch(() => '')).split('\n').filter(Boolean),
    writeAgentFile: (file) =>
      writeFile(agentFile, JSON.stringify({ model: model.modelId, connectWait: patientWaitMs, ...file })),
    start: ({ args = [], env = {}, ...options } = {}) =>
      openAcpProcess({
        args: ['--agent', agentFile, '--state-dir', join(dir.path, 'state'), ...args],
        env: { ...model.env, ...env },
        ...options,
      }),
    async open({ env, timing, ...options } = {}) {
      // Programs that only start the command need no sources.
      const { openAcpInProcess } = await import('./acp-harness.ts')
      return openAcpInProcess({
        ...options,
        openAgent: (logger, elicitModes) => openAgentOf(logger, env, elicitModes, timing),
      })
    },
    openAgent: (logger, env) => openAgentOf(logger, env),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await dir[Symbol.asyncDispose]()
    },
  }
}
