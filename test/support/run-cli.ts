import { Readable, Writable } from 'node:stream'
import type { Io } from '../../packages/cli/src/io.ts'
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
  /** Receives all of stderr so far, each time it grows. */
  readonly onStderr?: (text: string) => void
}

/** Runs a command line in this process, with streams, environment and working directory of its own. It must leave nothing behind. */
export async function runCli(
  args: readonly string[],
  { env, cwd = process.cwd(), input = '', onStderr }: CliOptions = {},
): Promise<CliResult> {
  const [stdout, stderr] = [collect(), collect(onStderr)]
  const listeners = new Set<unknown>()
  const io: Io = {
    env: { PATH: process.env['PATH'] ?? '', HOME: '/proc/nowhere', ...env },
    cwd,
    stdin: Readable.from([input]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    self: [process.execPath, ostlerScript],
    onEndSignal(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    onUnhandled: () => needsProcess('onUnhandled'),
    exitWithin: () => needsProcess('exitWithin'),
    onExit: () => ({ [Symbol.dispose]() {} }),
    suspend: () => needsProcess('suspend'),
    openTerminal: () => undefined,
  }
  const before = listenersOfProcess()
  const code = await runCommandLine(args, io)
  if (listeners.size > 0) throw new Error(`ostler ${args.join(' ')} still listens for signals`)
  const after = listenersOfProcess()
  if (after > before) throw new Error(`ostler ${args.join(' ')} left ${after - before} listeners on the process`)
  return { code, stdout: stdout.text(), stderr: stderr.text() }
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
