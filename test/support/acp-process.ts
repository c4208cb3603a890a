import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAcpPeer, type AcpPeer, type AcpPeerOptions } from './acp-peer.ts'
import { baseEnv, ostlerScript } from './ostler-script.ts'

/** Long enough for real servers on a busy machine. Tests that are about the wait set their own. */
export const patientWaitMs = 20_000

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
  /** Another copy of the command. */
  readonly script?: string
}

export async function openAcpProcess({
  args = [],
  env = {},
  cwd,
  nodeArgs = [],
  script = ostlerScript,
  ...options
}: AcpProcessOptions = {}): Promise<AcpProcess> {
  const home = await mkdtemp(join(tmpdir(), 'ostler-home-'))
  const model = args.includes('--model') || args.includes('--agent') ? [] : ['--model', 'offline']
  const child = spawn(process.execPath, [...nodeArgs, script, 'acp', ...model, ...args], {
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
