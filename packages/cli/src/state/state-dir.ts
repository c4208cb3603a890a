import { resolve } from 'node:path'
import { findXdgDirectory } from '@ostler/agent-api/manage'
import type { Environment } from '../terminal/io.ts'

/** The directory for data that outlives a run. Undefined if there is none; Ostler then works without. */
export function stateDirOf(flag: string | undefined, env: Environment): string | undefined {
  return flag !== undefined && flag !== '' ? resolve(flag) : findXdgDirectory(env, 'XDG_STATE_HOME', '.local/state')
}
