import path from 'node:path'
import { findXdgDirectory } from '@ostler/agent-api/internal'
import type { Environment } from '../terminal/io.ts'

export { makeDirectory } from '@ostler/agent-api/internal'

/** The directory for data that outlives a run. Undefined without a home directory: Ostler then stores nothing. */
export function stateDirOf(flag: string | undefined, env: Environment): string | undefined {
  return flag !== undefined && flag !== ''
    ? path.resolve(flag)
    : findXdgDirectory(env, 'XDG_STATE_HOME', '.local/state')
}
