import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'

/**
 * The person's home directory. Undefined if neither the environment nor the system knows one. A relative one does not count: it would lead
 * into the working directory, which may be a stranger's.
 */
export function findHome(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return [env['HOME'], systemHome()].find((home) => home !== undefined && isAbsolute(home))
}

/** The system throws if the user has no entry. */
function systemHome(): string | undefined {
  try {
    return homedir()
  } catch {
    return undefined
  }
}
