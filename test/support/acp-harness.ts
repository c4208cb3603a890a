import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { startServer } from '@ostler/acp-server'
import { createAgent, type AgentConfig, type LogFields, type Logger, type LogLevel } from '@ostler/agent-api'
import { baseEnv, ostlerScript } from './ostler-script.ts'
import { createAcpPeer, type AcpPeer, type AcpPeerOptions } from './acp-peer.ts'

export * from './acp-peer.ts'
export * from './ostler-script.ts'

/** Long enough for real servers on a busy machine. Tests that are about the wait set their own. */
export const patientWaitMs = 20_000

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
  /** Settles when the server has ended everything. */
  readonly ended: Promise<void>
}

export interface AcpInProcessOptions extends AcpPeerOptions {
  /** By default, the offline model without any of this machine's keys. */
  readonly agent?: AgentConfig | (() => AgentConfig)
}

export function openAcpInProcess({ agent = {}, ...options }: AcpInProcessOptions = {}): AcpInProcess {
  const toAgent = new PassThrough()
  const fromAgent = new PassThrough()
  const log: LogRecord[] = []
  const server = startServer({
    input: toAgent,
    output: fromAgent,
    openAgent: async () =>
      createAgent({
        model: 'offline',
        env: {},
        connectWaitMs: patientWaitMs,
        logger: recordingLogger(log),
        ...(typeof agent === 'function' ? agent() : agent),
      }),
    logger: recordingLogger(log),
  })
  const peer = createAcpPeer(fromAgent, toAgent, options)
  return {
    ...peer,
    log,
    closeInput: () => void toAgent.end(),
    ended: server.ended,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      peer.check()
    },
  }
}

/** An editor with the real command. Disposing it closes stdin, waits for the end, and fails on anything that ACP forbids. */
export interface AcpProcess extends AcpPeer, AsyncDisposable {
  readonly pid: number
  readonly child: ChildProcess
  readonly stderr: () => string
  /** Its home directory, with its state. Removed on disposal. */
  readonly home: string
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  closeInput(): void
}

export interface AcpProcessOptions extends AcpPeerOptions {
  /** Arguments after `ostler acp`. Uses the offline model unless they contain a model. */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Arguments for Node itself, such as those of a `ChildLoopMonitor`. */
  readonly nodeArgs?: readonly string[]
}

export async function openAcpProcess({ args = [], env = {}, cwd, nodeArgs = [], ...options }: AcpProcessOptions = {}): Promise<AcpProcess> {
  const home = await mkdtemp(join(tmpdir(), 'ostler-home-'))
  const model = args.includes('--model') || args.includes('--agent') ? [] : ['--model', 'offline']
  const child = spawn(process.execPath, [...nodeArgs, ostlerScript, 'acp', ...model, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: cwd ?? home,
    // Without this machine's keys and settings.
    env: { ...baseEnv, HOME: home, ...env },
  })
  const { pid } = child
  if (pid === undefined) throw new Error('ostler could not be started')
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  const peer = createAcpPeer(child.stdout, child.stdin, options)
  return {
    ...peer,
    pid,
    child,
    home,
    exit,
    stderr: () => stderr,
    closeInput: () => void child.stdin.end(),
    async [Symbol.asyncDispose]() {
      peer.resumeReading()
      child.stdin.end()
      await exit
      await rm(home, { recursive: true, force: true })
      peer.check()
    },
  }
}

function recordingLogger(log: LogRecord[]): Logger {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) =>
    void log.push(fields === undefined ? { level, message } : { level, message, fields })
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}
