import { stat } from 'node:fs/promises'
import type { AgentFile } from './config/agent-file-schema.ts'
import type { Environment } from './config/environment-overrides.ts'
import { messageOf } from './errors.ts'
import type { Logger } from './logger.ts'
import type { ApprovalMode } from './policy/approval.ts'

/** Who is asked before a tool runs. */
export interface Approval {
  readonly mode: ApprovalMode
  readonly trustedTools: readonly string[]
}

/** What of the agent file a running agent takes over; the rest holds for those that are started from then on. */
export interface FollowedSettings {
  readonly approval: Approval
  readonly storedServers: AgentFile['storedServers']
}

export interface FollowAgentFileOptions {
  /** The agent file. */
  readonly path: string
  readonly env: Environment
  readonly onChange: (settings: FollowedSettings) => void
  readonly logger: Logger
}

/** What is saved in the console holds within two seconds. */
const lookEveryMs = 1_000

/** Looks at the agent file now and then. One that has become wrong changes nothing: what was right before goes on to hold. */
export function followAgentFile({ path, env, onChange, logger }: FollowAgentFileOptions): Disposable {
  let seen: string | undefined
  let isLooking = false
  void look()
  const timer = setInterval(() => void look(), lookEveryMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const { mtimeMs, size, ino } = await stat(path)
      const version = [mtimeMs, size, ino].join(' ')
      if (seen !== undefined && seen !== version) onChange(await readSettings(path, env))
      seen = version
    } catch (error) {
      logger.debug('the agent file cannot be followed', { error: messageOf(error) })
    } finally {
      isLooking = false
    }
  }
}

async function readSettings(path: string, env: Environment): Promise<FollowedSettings> {
  const { loadAgentFile } = await import('./config/agent-file.ts')
  const { approval, storedServers } = (await loadAgentFile(path, env)).file
  return { approval, storedServers }
}
