import fs from 'node:fs'
import { ReadStream, WriteStream } from 'node:tty'
import { OstlerError } from '@ostler/agent-api'
import { toSystemReason } from '@ostler/agent-api/internal'
import type { Io, Terminal } from './terminal/io.ts'
import { runCommandLine } from './run-command-line.ts'

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export function runProcess(argv: readonly string[]): Promise<number> {
  // `ostler acp` handles its streams itself.
  if (argv[0] !== 'acp') outliveReaders()
  return runCommandLine(argv, processIo)
}

const processIo: Io = {
  env: process.env,
  // Read only when a command asks for it: the directory may be gone.
  get cwd() {
    try {
      return process.cwd()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      throw new OstlerError(
        'command.no_folder',
        'The current folder no longer exists. Go to another one first.',
      )
    }
  },
  platform: process.platform,
  nodeVersion: process.versions.node,
  // Opened only when a command asks for it.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  // A single executable is its own script.
  self: process.argv[1] === process.execPath ? [process.execPath] : [process.execPath, process.argv[1] ?? ''],
  onEndSignal(listener) {
    for (const signal of endSignals) process.on(signal, listener)
    return {
      [Symbol.dispose]() {
        for (const signal of endSignals) process.off(signal, listener)
      },
    }
  },
  onUnhandled(listener) {
    process.on('unhandledRejection', (reason) => listener(reason, 'rejection'))
    process.on('uncaughtException', (error) => listener(error, 'error'))
  },
  exitWithin(ms, code = 0) {
    setTimeout(() => process.exit(code), ms).unref()
  },
  onExit(listener) {
    process.on('exit', listener)
    return { [Symbol.dispose]: () => void process.off('exit', listener) }
  },
  suspend(onContinue) {
    process.once('SIGCONT', onContinue)
    // Stops the whole group, as the terminal would, because a shell may wait for a script that started this process.
    process.kill(0, 'SIGTSTP')
  },
  openTerminal() {
    const { stdin, stderr } = process
    if (stdin.isTTY && stderr.isTTY)
      return { input: stdin, output: stderr, [Symbol.dispose]: () => void stdin.pause() }
    return openControllingTerminal()
  },
}

/** The terminal that the process was started in. Undefined if it has none, as in a job of a CI system. */
function openControllingTerminal(): Terminal | undefined {
  try {
    const input = new ReadStream(fs.openSync('/dev/tty', 'r'))
    const output = new WriteStream(fs.openSync('/dev/tty', 'w'))
    for (const stream of [input, output]) stream.on('error', () => undefined)
    return {
      input,
      output,
      [Symbol.dispose]() {
        input.destroy()
        output.destroy()
      },
    }
  } catch {
    return undefined
  }
}

/** The code with which a shell reports SIGPIPE. */
const lostReaderCode = 141

/**
 * If the reader leaves before the end of the output (`| head`), the command finishes its work silently. Any other error means that output
 * is missing, so it is reported.
 */
function outliveReaders(): void {
  let isTold = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isTold) return
    isTold = true
    const isReaderGone = error.code === 'EPIPE'
    if (!isReaderGone)
      process.stderr.write(`ostler: standard output cannot be written: ${toSystemReason(error)}\n`)
    process.on('exit', () => (process.exitCode ||= isReaderGone ? lostReaderCode : 1))
  })
  process.stderr.on('error', () => undefined)
}
