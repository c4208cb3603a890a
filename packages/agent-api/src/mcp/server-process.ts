import { spawn, type ChildProcess } from 'node:child_process'
import { childEnvironment } from '../processes/child-environment.ts'
import type { Logger } from '../base/logger.ts'
import type { Fence } from '../fence/fence.ts'
import { createProcessTree, type ProcessTree } from '../processes/process-tree.ts'
import type { StdioServerConfig } from './server-config.ts'
import type { Timing } from '../base/timing.ts'
import { mayExist } from '../processes/resolve-command.ts'
import { createStderrTail, type StderrTail } from './transports/stderr-tail.ts'
import { createProcessGuard } from '../processes/watchdog.ts'

export interface ServerProcess {
  readonly child: ChildProcess
  /** Undefined if it could not be started; `spawned` rejects with the reason. */
  readonly group: ProcessTree | undefined
  readonly spawned: Promise<void>
  /** Its stderr output. Read from the start, because Node discards unread output when a process ends. */
  readonly stderr: StderrTail
}

/**
 * Starts a server as the leader of its own process group, guarded by the watchdog. Its output waits in the pipes until it is read. Throws
 * for an invalid command, and as `spawn` does if there is no such program.
 */
export function startServerProcess(
  config: StdioServerConfig,
  cwd: string,
  logger: Logger,
  timing: Timing,
  fence: Fence | undefined,
): ServerProcess {
  const env = childEnvironment(config.env)
  if (!mayExist(config.command, cwd, env['PATH'])) throw noSuchProgram()
  const { mark, watch: guard } = createProcessGuard(logger)
  env[mark.name] = mark.value
  const fenced = fence?.enclose(config, cwd, env)
  const program = fenced ?? config
  const child = spawn(program.command, program.args, {
    cwd,
    env: fenced?.env ?? env,
    detached: process.platform !== 'win32',
    shell: false,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const spawned = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    // Never removed, because an error event without a listener would be thrown.
    child.on('error', reject)
  })
  spawned.catch(() => undefined)
  child.stdin?.on('error', () => undefined)
  const stderr = createStderrTail()
  child.stderr?.on('data', stderr.push).on('error', () => undefined)
  // Also after a failed start, which has no exit.
  child.once('close', () => fenced?.release())
  if (child.pid === undefined) return { child, group: undefined, spawned, stderr }
  const release = guard(child.pid)
  const group = createProcessTree(child.pid, `${mark.name}=${mark.value}`, timing)
  child.once('exit', () => group.leaderExited())
  return { child, group: { ...group, end: (how) => group.end(how).finally(release) }, spawned, stderr }
}

/** The error of `spawn` for a program that does not exist. */
export function noSuchProgram(): Error {
  return Object.assign(new Error('no such program'), { code: 'ENOENT', syscall: 'spawn' })
}
