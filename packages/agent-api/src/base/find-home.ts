import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, sep } from 'node:path'

/**
 * The person's home directory. Undefined if neither the environment nor the system knows one. A relative one does not count: it would lead
 * into the working directory, which may be somebody else's project.
 */
export function findHome(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return [env['HOME'], systemHome()].find((home) => home !== undefined && isAbsolute(home))
}

/** The directory for a program that the files of a project must not influence. */
export function homeOrRoot(env: Readonly<Record<string, string | undefined>>): string {
  const home = findHome(env)
  return home !== undefined && existsSync(home) ? home : sep
}

/** The person's directory of one kind: `XDG_STATE_HOME/ostler`, or `~/.local/state/ostler`. A relative one is ignored, as XDG says. */
export function findXdgDirectory(
  env: Readonly<Record<string, string | undefined>>,
  variable: string,
  inHome: string,
): string | undefined {
  const base = env[variable]
  if (base !== undefined && isAbsolute(base)) return join(base, 'ostler')
  const home = findHome(env)
  return home && join(home, inHome, 'ostler')
}

/** The system throws if the user has no entry. */
function systemHome(): string | undefined {
  try {
    return homedir()
  } catch {
    return undefined
  }
}
