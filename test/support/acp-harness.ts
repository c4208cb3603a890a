import { PassThrough } from 'node:stream'
import { startServer } from '@ostler/acp-server'
import {
  createAgent,
  type Agent,
  type AgentConfig,
  type LogFields,
  type Logger,
  type LogLevel,
} from '@ostler/agent-api'
import { createAcpPeer, type AcpPeer, type AcpPeerOptions } from './acp-peer.ts'
import { patientWaitMs } from './acp-process.ts'
import { until } from './processes.ts'
import { quickTiming } from './quick-timing.ts'

export * from './acp-peer.ts'
export * from './acp-process.ts'
export * from './ostler-script.ts'

export interface LogRecord {
  readonly level: LogLevel
  readonly message: string
  readonly fields?: LogFields
}

/** An editor connected to a server in this process. Disposing it ends the connection, and fails on anything that ACP forbids. */
export interface AcpInProcess extends AcpPeer, AsyncDisposable {
  readonly log: readonly LogRecord[]
  /** Closes the editor's end, as on quitting. */
  closeInput(): void
  /** Settles once the agent waits for the editor to read. */
  agentWaits(): Promise<void>
  /** Settles when the server has ended everything. */
  readonly ended: Promise<void>
}

export interface AcpInProcessOptions extends AcpPeerOptions {
  /** By default, the offline model without any of this machine's keys. */
  readonly agent?: AgentConfig | (() => AgentConfig)
  /** Opens the agent, for example from a file. By default, it has the settings of `agent`. */
  readonly openAgent?: (logger: Logger, elicitModes: AgentConfig['elicitModes']) => Promise<Agent>
  readonly mcpOverAcp?: boolean
  readonly quietMs?: number
}

export function openAcpInProcess({
  agent = {},
  openAgent,
  mcpOverAcp = false,
  quietMs,
  ...options
}: AcpInProcessOptions = {}): AcpInProcess {
  const toAgent = new PassThrough()
  const fromAgent = new PassThrough()
  const log: LogRecord[] = []
  const logger = recordingLogger(log)
  const create = async (elicitModes: AgentConfig['elicitModes']) => {
    const settings = typeof agent === 'function' ? agent() : agent
    return createAgent({
      model: 'offline',
      env: {},
      connectWaitMs: patientWaitMs,
      ...(elicitModes && { elicitModes }),
      logger,
      ...settings,
      timing: { ...quickTiming, ...settings.timing },
    })
  }
  const open = (elicitModes: AgentConfig['elicitModes']) =>
    openAgent === undefined ? create(elicitModes) : openAgent(logger, elicitModes)
  const server = startServer({
    input: toAgent,
    output: fromAgent,
    openAgent: open,
    logger,
    mcpOverAcp,
    ...(quietMs !== undefined && { quietMs }),
  })
  const peer = createAcpPeer(fromAgent, toAgent, options)
  return {
    ...peer,
    log,
    closeInput: () => void toAgent.end(),
    agentWaits: () =>
      until('the agent to wait for its editor', () => fromAgent.writableNeedDrain).then(() => undefined),
    ended: server.ended,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      peer.check()
    },
  }
}

/** The log as a process prints it, without the times. */
export function printedLog({ log }: AcpInProcess, levels: readonly LogLevel[] = ['error', 'warn']): string {
  const printed = log.filter(({ level }) => levels.includes(level))
  return printed
    .map(
      ({ level, message, fields }) =>
        `${level} ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}\n`,
    )
    .join('')
}

function recordingLogger(log: LogRecord[]): Logger {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) =>
    void log.push(fields === undefined ? { level, message } : { level, message, fields })
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}
