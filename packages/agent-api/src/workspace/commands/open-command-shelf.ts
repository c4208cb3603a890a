import { OstlerError } from '../../base/errors.ts'
import type { FenceReport } from '../../messages/fence-report.ts'
import type { CommandEnd, CommandRunner, CommandStart, RunningCommand } from '../workspace.ts'

/** The commands of one session. Disposing it stops them all. */
export interface CommandShelf extends AsyncDisposable {
  start(command: CommandStart, signal: AbortSignal): Promise<ShelvedCommand>
  /** Throws `workspace.unknown_command`. */
  find(id: string): ShelvedCommand
  /** Keeps a command after its call, so that others can read its output and stop it. Throws `workspace.too_many_commands`. */
  keep(command: ShelvedCommand): void
  forget(command: ShelvedCommand): Promise<void>
  /** Commands that outlived their call and are still running. */
  running(): readonly ShelvedCommand[]
}

export interface ShelvedCommand extends RunningCommand {
  readonly id: string
  readonly line: string
  readonly startedAt: number
  /** Undefined while it runs. */
  end: CommandEnd | undefined
  /** The fence in which it really runs. Undefined without a sandbox in the settings. */
  readonly fence: FenceReport | undefined
}

const runningMax = 10
const endedMax = 10

export function openCommandShelf(runner: CommandRunner): CommandShelf {
  const live = new Set<ShelvedCommand>()
  const kept = new Map<string, ShelvedCommand>()
  let count = 0
  let isClosed = false

  async function start(command: CommandStart, signal: AbortSignal): Promise<ShelvedCommand> {
    if (isClosed) throw new OstlerError('workspace.closed', 'The session is closed.')
    const running = await runner.start(command, signal)
    const shelved = {
      ...running,
      id: `c${++count}`,
      line: command.line,
      startedAt: performance.now(),
      fence: command.fence?.report,
      end: undefined as CommandEnd | undefined,
    }
    live.add(shelved)
    void running.ended.then((end) => {
      shelved.end = end
      live.delete(shelved)
      forgetOld()
    })
    if (!isClosed) return shelved
    await shelved[Symbol.asyncDispose]()
    throw new OstlerError('workspace.closed', 'The session is closed.')
  }

  function running(): readonly ShelvedCommand[] {
    return [...kept.values()].filter(({ end }) => end === undefined)
  }

  function forgetOld(): void {
    const ended = [...kept.values()].filter(({ end }) => end !== undefined)
    for (const command of ended.slice(0, Math.max(0, ended.length - endedMax))) void forget(command)
  }

  async function forget(command: ShelvedCommand): Promise<void> {
    kept.delete(command.id)
    await command[Symbol.asyncDispose]()
  }

  return {
    start,
    find(id) {
      const found = kept.get(id)
      if (found !== undefined) return found
      const ids = [...kept.keys()]
      const known = ids.length === 0 ? 'No command is kept.' : `Known commands: ${ids.join(', ')}.`
      throw new OstlerError(
        'workspace.unknown_command',
        `There is no command ${JSON.stringify(id)}. ${known}`,
      )
    },
    keep(command) {
      if (command.end === undefined && running().length >= runningMax)
        throw new OstlerError(
          'workspace.too_many_commands',
          `${runningMax} commands are running in the background. Stop one with stop_command first.`,
        )
      kept.set(command.id, command)
      forgetOld()
    },
    forget,
    running,
    async [Symbol.asyncDispose]() {
      isClosed = true
      const all = new Set([...live, ...kept.values()])
      kept.clear()
      await Promise.all([...all].map((command) => command[Symbol.asyncDispose]()))
    },
  }
}
