import { setTimeout as sleep } from 'node:timers/promises'
import type { TerminalExitStatus, TerminalOutputResponse } from '@agentclientprotocol/sdk'
import {
  type CommandEnd,
  type CommandRunner,
  createOutputLog,
  type CommandOutput,
  type RunningCommand,
  unattendedEnvironment,
  onAbort,
} from '@ostler/agent-api/internal'
import type { AcpClient } from './acp-client.ts'

/** The editor keeps this much of an output, and so do we: a terminal cannot be read after its release. */
const outputBytesMax = 1024 * 1024
/** An unresponsive editor must not hold up the turn. */
const answerMsMax = 5_000

/** Runs commands in terminals of the editor, where the person sees them. */
export function createEditorCommands(client: AcpClient): CommandRunner {
  return {
    async start({ line, cwd, fence }, signal) {
      // Not cancelled with the call: a terminal that is being created must still be released.
      const env = Object.entries(unattendedEnvironment()).map(([name, value]) => ({ name, value }))
      const shell = toShellCommand(line)
      const fenced = fence?.enclose(shell, cwd, {})
      const { command, args } = fenced ?? shell
      const creating = client.createTerminal({
        command,
        args: [...args],
        cwd,
        env,
        outputByteLimit: outputBytesMax,
      })
      const terminalId = await untilAborted(creating, signal).catch((error: unknown) => {
        fenced?.release()
        creating.then((id) => discard(client, id)).catch(() => undefined)
        throw error
      })
      const running = followTerminal(client, terminalId)
      void running.ended.then(fenced?.release)
      return running
    },
  }
}

/** The editor starts a program, not a shell line. */
function toShellCommand(line: string) {
  return process.platform === 'win32'
    ? { command: 'cmd', args: ['/d', '/s', '/c', line] }
    : { command: '/bin/sh', args: ['-c', line] }
}

function followTerminal(client: AcpClient, terminalId: string): RunningCommand {
  const log = createOutputLog()
  const released = new AbortController()
  const ending = Promise.withResolvers<CommandEnd>()
  let last: TerminalOutputResponse = { output: '', truncated: false }
  let reading: Promise<void> | undefined

  /** Appends the output since the last reading. */
  async function catchUp(): Promise<void> {
    if (released.signal.aborted) return
    const now = await client.terminalOutput(
      terminalId,
      AbortSignal.any([released.signal, AbortSignal.timeout(answerMsMax)]),
    )
    log.append(Buffer.from(newOutput(last.output, now.output, now.truncated)))
    last = now
  }

  const readNow = () => (reading ??= catchUp().finally(() => (reading = undefined)))
  const output: CommandOutput = {
    async size() {
      await readNow()
      return log.size()
    },
    read: log.read,
    onChange: log.onChange,
  }

  /** If the editor did not report the end, its answer about the output may contain it. */
  async function finish(end?: TerminalExitStatus): Promise<void> {
    if (released.signal.aborted) return
    // A reading that began before the end may lack the last output.
    await reading?.catch(() => undefined)
    await readNow().catch(() => undefined)
    if (released.signal.aborted) return
    released.abort()
    client.releaseTerminal(terminalId).catch(() => undefined)
    const { exitCode = null, signal = null } = isKnown(end) ? end : (last.exitStatus ?? {})
    ending.resolve({
      exitCode,
      signal,
      isLost: end === undefined && exitCode === null && signal === null,
      leftProcesses: false,
    })
  }

  client.waitForTerminalExit(terminalId, released.signal).then(
    (end) => finish(end),
    () => finish(),
  )
  const stop = async () => {
    if (released.signal.aborted) return
    client.killTerminal(terminalId).catch(() => undefined)
    await Promise.race([ending.promise, sleep(answerMsMax, undefined, { ref: false })])
    await finish()
  }
  return {
    terminalId,
    ended: ending.promise,
    output,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await log[Symbol.asyncDispose]()
    },
  }
}

function isKnown(end: TerminalExitStatus | undefined): end is TerminalExitStatus {
  return typeof end?.exitCode === 'number' || typeof end?.signal === 'string'
}

function discard(client: AcpClient, terminalId: string): void {
  client.killTerminal(terminalId).catch(() => undefined)
  client.releaseTerminal(terminalId).catch(() => undefined)
}

/** Enough to recognize where the last reading ended. */
const overlapChars = 4_096

/** The output since the last reading. If the editor has dropped so much that the two do not meet, all of it is new. */
function newOutput(before: string, now: string, isTruncated: boolean): string {
  if (!isTruncated || now.startsWith(before)) return now.startsWith(before) ? now.slice(before.length) : now
  const end = before.slice(-overlapChars)
  const at = end === '' ? -1 : now.indexOf(end)
  return at === -1 ? now : now.slice(at + end.length)
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  using _aborting = onAbort(signal, () => aborted.reject(new Error('The command was cancelled.')))
  return await Promise.race([promise, aborted.promise])
}
