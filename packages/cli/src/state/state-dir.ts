import fs from 'node:fs'
import path from 'node:path'
import { findXdgDirectory } from '@ostler/agent-api/internal'
import type { Environment } from '../terminal/io.ts'

/** The directory for data that outlives a run. Undefined without a home directory: Ostler then stores nothing. */
export function stateDirOf(flag: string | undefined, env: Environment): string | undefined {
  return flag !== undefined && flag !== ''
    ? path.resolve(flag)
    : findXdgDirectory(env, 'XDG_STATE_HOME', '.local/state')
}

/**
 * Creates a directory and its parents for this user alone. Not `recursive`: where nothing can be created (under /proc, for example), Node's
 * own recursive mkdir never returns. Also used by the launcher, so limited to what an old Node supports.
 */
export function makeDirectory(directory: string): void {
  if (fs.existsSync(directory)) return
  makeDirectory(path.dirname(directory))
  fs.mkdirSync(directory, { mode: 0o700 })
}
