import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/** Where Ostler keeps what outlives a run. Undefined when there is no place: then it goes on without one. */
export function stateDirOf(flag: string | undefined, env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (flag !== undefined && flag !== '') return resolve(flag)
  const base = env['XDG_STATE_HOME']
  // The XDG specification tells to ignore a path that is not absolute.
  if (base !== undefined && isAbsolute(base)) return join(base, 'ostler')
  try {
    return join(homedir(), '.local', 'state', 'ostler')
  } catch {
    return undefined
  }
}
