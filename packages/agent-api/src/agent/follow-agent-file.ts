import { existsSync } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { AgentFile } from '../config/agent-file-schema.ts'
import type { Environment } from '../config/environment-overrides.ts'
import { messageOf, OstlerError } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'
import type { Logger } from '../base/logger.ts'
import { createRest, restMs } from '../base/rest.ts'
import type { Timing } from '../base/timing.ts'
import type { Approval } from '../policy/approval.ts'

/** The settings that a running agent adopts. Others apply to agents started later. */
export interface FollowedSettings {
  readonly approval: Approval
  readonly storedServers: AgentFile['storedServers']
}

interface FollowAgentFileOptions {
  readonly find: () => string | undefined
  /** Where everything is that `find` finds. Undefined if that is not known. */
  readonly directory: string | undefined
  readonly env: Environment
  readonly file: AgentFile | undefined
  readonly onChange: (settings: FollowedSettings) => void
  readonly timing: Pick<Timing, 'agentFileCheckMs'>
  readonly logger: Logger
}

/** Checks that see the same version before a rest. */
const calmChecksMin = 3

/**
 * Checks the agent file periodically, and rests while its directory does not change. It is read once two checks see the same version, because a changed file may still be incomplete. If
 * it becomes invalid or disappears, the last valid version still applies.
 */
export function followAgentFile(options: FollowAgentFileOptions): Disposable {
  const { find, directory, env, onChange, timing, logger } = options
  let { file } = options
  let seen: { readonly version: string; readonly checks: number } | undefined
  let read: string | undefined
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const rest = createRest(() => schedule(timing.agentFileCheckMs / 4), logger)
  void run()
  return {
    [Symbol.dispose]() {
      isOver = true
      clearTimeout(timer)
      rest.end()
    },
  }

  /** An idle agent wakes up rarely. Only a changed file is checked again soon. */
  async function run(): Promise<void> {
    const hasRested = rest.isActive
    if (seen !== undefined && seen.checks >= calmChecksMin) {
      const place = await placeToRest()
      if (!isOver) rest.begin(place)
    }
    const isSettled = await check()
    if (!isSettled && rest.isActive) {
      if (hasRested) rest.noteMiss()
      rest.end()
    }
    schedule(rest.isActive ? restMs : timing.agentFileCheckMs / (isSettled ? 1 : 4))
  }

  function schedule(ms: number): void {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(() => void run(), ms).unref()
  }

  /** The directory of the file, or of what is missing on the way to it. What a link leads to changes in another directory. */
  async function placeToRest(): Promise<string | undefined> {
    const path = find()
    const isLink = path !== undefined && (await lstat(path).catch(() => undefined))?.isSymbolicLink()
    if (directory === undefined || isLink === true) return undefined
    let place = directory
    while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
    return place
  }

  async function check(): Promise<boolean> {
    try {
      const path = find()
      const version = await versionOf(path)
      read ??= version
      const isSettled = seen === undefined || seen.version === version
      seen = { version, checks: seen?.version === version ? seen.checks + 1 : 1 }
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
