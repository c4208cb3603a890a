import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { OstlerError, toSystemReason } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import type { Grace } from '../../base/timing.ts'
import { commandEnvironment } from '../../processes/command-environment.ts'
import { createProcessTree, type ProcessTree } from '../../processes/process-tree.ts'
import { createProcessGuard } from '../../processes/watchdog.ts'
import type { CommandEnd, CommandRunner, CommandStart, RunningCommand } from '../workspace.ts'
import { createOutputLog, type OutputLog } from './output-log.ts'

export interface DiskCommandOptions {
  readonly timing: Grace
  readonly logger: Logger
  /** Names of variables with secrets that commands need. */
  readonly keptVariables?: readonly string[] | undefined
}

/** Time after the end of the shell in which its children may end and close the pipe. */
const childrenEndMs = 250
const lookEveryMs = 25
/**
 * Time to read the remaining output when no process is left: one that could not be found may still hold the
 * pipe.
 */
const lastOutputMs = 2_000

/** Runs commands as child processes: each with its own process group, guarded by the watchdog, without input. */
export function createDiskCommands({ timing, logger, keptVariables }: DiskCommandOptions): CommandRunner {
  return {
    async start({ line, cwd, fence }): Promise<RunningCommand> {
      const { mark, watch } = createProcessGuard(logger)
      const env = { ...commandEnvironment(keptVariables), [mark.name]: mark.value }
      const child = startShell({ line, cwd, fence }, env)
      const { pid } = child
      if (pid === undefined) throw await toStartError(child)
      const release = watch(pid)
      const group = createProcessTree(pid, `${mark.name}=${mark.value}`, timing)
      const output = createOutputLog()
      const ended = followToEnd(child, group, output).finally(release)
      const stop = async () => {
        await group.end({ closeInput: () => undefined, hurry: true })
        await ended
      }
      return {
        terminalId: undefined,
        ended,
        output,
        stop,
        async [Symbol.asyncDispose]() {
          await stop()
          await output[Symbol.asyncDispose]()
        },
      }
    },
  }
}

/** stderr goes into the same pipe as stdout, so that their order is kept. */
function startShell({ line, cwd, fence }: CommandStart, env: Record<string, string>): ChildProcess {
  if (process.platform === 'win32')
    return spawn(line, { cwd, env, shell: true, windowsHide: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const shell = { command: '/bin/sh', args: ['-c', 'exec /bin/sh -c "$1" 2>&1', 'sh', line] }
  const fenced = fence?.enclose(shell, cwd, env)
  const { command, args } = fenced ?? shell
  const child = spawn(command, args, {
    cwd,
    env: fenced?.env ?? env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  // Also after a failed start, which has no exit.
  if (fenced !== undefined) child.once('close', fenced.release)
  return child
}

async function toStartError(child: ChildProcess): Promise<OstlerError> {
  const [error] = (await once(child, 'error').catch((error: unknown) => [error])) as unknown[]
  return new OstlerError(
    'workspace.command_failed',
    `The command could not be started: ${toSystemReason(error)}.`,
  )
}

async function followToEnd(child: ChildProcess, group: ProcessTree, output: OutputLog): Promise<CommandEnd> {
  child.on('error', () => undefined)
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null)
  const closed = Promise.all(streams.map((stream) => readInto(output, stream)))
  const [exitCode, signal] = (await new Promise((resolve) =>
    child.once('exit', (...end) => resolve(end)),
  )) as [number | null, NodeJS.Signals | null]
  group.leaderExited()
  const leftProcesses = await isAliveAfter(childrenEndMs, group)
  await group.end({ closeInput: () => undefined, hurry: true })
  await Promise.race([closed, sleep(lastOutputMs, undefined, { ref: false })])
  child.stdout?.destroy()
  child.stderr?.destroy()
  return { exitCode, signal, leftProcesses }
}

async function isAliveAfter(ms: number, group: ProcessTree): Promise<boolean> {
  const deadline = performance.now() + ms
  while (await group.isAlive()) {
    if (performance.now() >= deadline) return true
    await sleep(lookEveryMs)
  }
  return false
}

/** Waits while the disk is behind, so that the command has to wait as well. */
async function readInto(output: OutputLog, stream: NodeJS.ReadableStream): Promise<void> {
  try {
    for await (const chunk of stream) {
      output.append(chunk as Buffer)
      await output.congestion
    }
  } catch {
    // Destroyed after the command had ended.
  }
}
