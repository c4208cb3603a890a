import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { Environment } from '../io.ts'

/** The directory for data that outlives a run. Undefined if there is none; Ostler then works without. */
export function stateDirOf(flag: string | undefined, env: Environment): string | undefined {
  if (flag !== undefined && flag !== '') return resolve(flag)
  const base = env['XDG_STATE_HOME']
  // The XDG specification says to ignore a path that is not absolute.
  if (base !== undefined && isAbsolute(base)) return join(base, 'ostler')
  try {
    return join(homeOf(env), '.local', 'state', 'ostler')
  } catch {
    return undefined
  }
}

/** Throws if the system reports none. */
export function homeOf(env: Environment): string {
  return env['HOME'] || homedir()
}
