import { stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { AgentFile } from '../config/agent-file-schema.ts'
import type { Environment } from '../config/environment-overrides.ts'
import { messageOf, OstlerError } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'
import type { Logger } from '../base/logger.ts'
import type { Timing } from '../base/timing.ts'
import type { Approval } from '../policy/approval.ts'

/** The settings that a running agent adopts. Others apply to agents started later. */
export interface FollowedSettings {
  readonly approval: Approval
  readonly storedServers: AgentFile['storedServers']
}

interface FollowAgentFileOptions {
  readonly find: () => string | undefined
  readonly env: Environment
  readonly file: AgentFile | undefined
  readonly onChange: (settings: FollowedSettings) => void
  readonly timing: Pick<Timing, 'agentFileCheckMs'>
  readonly logger: Logger
}

/**
 * Checks the agent file periodically. It is read once two checks see the same version, because a changed file may still be incomplete. If
 * it becomes invalid or disappears, the last valid version still applies.
 */
export function followAgentFile(options: FollowAgentFileOptions): Disposable {
  const { find, env, onChange, timing, logger } = options
  let { file } = options
  let seen: string | undefined
  let read: string | undefined
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  void run()
  return {
    [Symbol.dispose]() {
      isOver = true
      clearTimeout(timer)
    },
  }

  /** An idle agent wakes up rarely. Only a changed file is checked again soon. */
  async function run(): Promise<void> {
    const isSettled = await check()
    if (!isOver) timer = setTimeout(() => void run(), timing.agentFileCheckMs / (isSettled ? 1 : 4)).unref()
  }

  async function check(): Promise<boolean> {
    try {
      const path = find()
      const version = await versionOf(path)
      read ??= version
      const isSettled = version === (seen ?? version)
      seen = version
      if (isOver || !isSettled || version === read) return isSettled
      read = version
      await follow(path)
    } catch (error) {
      logger.warn(`${messageOf(error).replaceAll(/\n\s*/g, ' ')} The previous settings still apply.`)
    }
    return true
  }

  async function follow(path: string | undefined): Promise<void> {
    if (path === undefined) throw new OstlerError('config.unreadable', 'The agent file was deleted.')
    const { loadAgentFile } = await import('../config/agent-file.ts')
    const now = (await loadAgentFile(path, env)).file
    const before = file ?? (await loadAgentFile(undefined, env)).file
    file = now
    const changes = changedPaths(before, now)
    if (changes.length === 0) return
    const [followed, others] = [changes.filter(isFollowed), changes.filter((change) => !isFollowed(change))]
    const parts = [
      ...(followed.length === 0 ? [] : [`${followed.join(', ')} (for new sessions)`]),
      ...(others.length === 0 ? [] : [`${others.join(', ')} (for agents that start later)`]),
    ]
    logger.info(`The agent file ${path} changed: ${parts.join('; ')}`)
    onChange({ approval: now.approval, storedServers: now.storedServers })
  }
}

/** A missing file also has a version: reading it reports the error. */
async function versionOf(path: string | undefined): Promise<string> {
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined)
  return JSON.stringify([path, found?.mtimeMs, found?.size, found?.ino])
}

function isFollowed(path: string): boolean {
  return /^(approval|storedServers)\b/.test(path)
}

/** The paths of changed fields. Never their values, which may be secret. */
function changedPaths(before: unknown, now: unknown, at: readonly string[] = []): string[] {
  if (isDeepStrictEqual(before, now)) return []
  if (!isRecord(before) || !isRecord(now)) return [at.join('.')]
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((key) =>
    changedPaths(before[key], now[key], [...at, key]),
  )
}
