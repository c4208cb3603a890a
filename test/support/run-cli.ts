import { isAbsolute } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { Io } from '../../packages/cli/src/terminal/io.ts'
import { runCommandLine } from '../../packages/cli/src/run-command-line.ts'
import { ostlerScript } from './ostler-script.ts'

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly input?: string
  /** Receives all of stdout so far, each time it grows. */
  readonly onStdout?: (text: string) => void
  /** Receives all of stderr so far, each time it grows. */
  readonly onStderr?: (text: string) => void
}

/** Runs a command line in this process, with streams, environment and working directory of its own. It must leave nothing behind. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const before = listenersOfProcess()
  const { code, listeners, stdout, stderr } = startCli(args, options)
  const ended = await code
  if (listeners.size > 0) throw new Error(`ostler ${args.join(' ')} still listens for signals`)
  const after = listenersOfProcess()
  if (after > before)
    throw new Error(`ostler ${args.join(' ')} left ${after - before} listeners on the process`)
  return { code: ended, stdout: stdout(), stderr: stderr() }
}

/** A command line that runs in this process until it has ended. */
export interface RunningCli {
  readonly code: Promise<number>
  readonly stdout: () => string
  readonly stderr: () => string
  /** Calling one of these ends the command, like a signal. */
  readonly listeners: ReadonlySet<(signal: NodeJS.Signals) => void>
}

/** Starts a command that serves until it is ended. */
export function startCli(
  args: readonly string[],
  { env, cwd = process.cwd(), input = '', onStdout, onStderr }: CliOptions = {},
): RunningCli {
  // Without a home, a command would look up the real home of this user, and write there.
  if (env?.['HOME'] !== undefined && !isAbsolute(env['HOME']))
    throw new Error('a command without a home is tested as a process')
  const [stdout, stderr] = [collect(onStdout), collect(onStderr)]
  const listeners = new Set<(signal: NodeJS.Signals) => void>()
  const io: Io = {
    env: { PATH: process.env['PATH'] ?? '', HOME: '/proc/nowhere', ...env },
    cwd,
    platform: process.platform,
    nodeVersion: process.versions.node,
    stdin: Readable.from([input]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    self: [process.execPath, ostlerScript],
    onEndSignal(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    // An unhandled error fails the test run, and this process must not end.
    onUnhandled: () => undefined,
    exitWithin: () => undefined,
    onExit: () => ({ [Symbol.dispose]() {} }),
    suspend: () => needsProcess('suspend'),
    openTerminal: () => undefined,
  }
  return { code: runCommandLine(args, io), stdout: stdout.text, stderr: stderr.text, listeners }
}

function collect(onText?: (text: string) => void): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      onText?.(text())
      done()
    },
  })
  const text = () => Buffer.concat(chunks).toString('utf8')
  return { stream, text }
}

function listenersOfProcess(): number {
  return process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
}

function needsProcess(what: string): never {
  throw new Error(`a command that uses ${what} is tested as a process`)
}
