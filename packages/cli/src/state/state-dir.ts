import { isAbsolute, join, resolve } from 'node:path'
import { findHome } from '@ostler/agent-api/manage'
import type { Environment } from '../io.ts'

/** The directory for data that outlives a run. Undefined if there is none; Ostler then works without. */
export function stateDirOf(flag: string | undefined, env: Environment): string | undefined {
  if (flag !== undefined && flag !== '') return resolve(flag)
  const base = env['XDG_STATE_HOME']
  // The XDG specification says to ignore a path that is not absolute.
  if (base !== undefined && isAbsolute(base)) return join(base, 'ostler')
  const home = findHome(env)
  return home && join(home, '.local', 'state', 'ostler')
}
