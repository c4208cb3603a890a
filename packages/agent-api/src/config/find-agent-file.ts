import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { OstlerError } from '../base/errors.ts'
import { findXdgDirectory } from '../base/find-home.ts'
import type { Environment } from './environment-overrides.ts'

const fileNames = ['ostler.yaml', 'ostler.yml', 'ostler.json', 'ostler.jsonc']

/** Takes the given path, `OSTLER_AGENT`, or the file in the user's configuration directory. Never the working directory: opening a stranger's project must not start a stranger's servers. */
export function findAgentFile(named: string | undefined, env: Environment): string | undefined {
  const asked = named ?? (env['OSTLER_AGENT'] || undefined)
  if (asked !== undefined) return resolve(asked)
  const directory = findConfigDirectory(env)
  return directory && fileNames.map((name) => join(directory, name)).find((file) => existsSync(file))
}

/** The directory of every file that `findAgentFile` may find. */
export function findAgentFileIn(named: string | undefined, env: Environment): string | undefined {
  const asked = named ?? (env['OSTLER_AGENT'] || undefined)
  return asked === undefined ? findConfigDirectory(env) : dirname(resolve(asked))
}

/** Throws `config.no_home`. */
export function configDirectory(env: Environment): string {
  const directory = findConfigDirectory(env)
  if (directory !== undefined) return directory
  throw new OstlerError(
    'config.no_home',
    'Your home directory is not known. Set HOME, or name the agent file with --agent.',
  )
}

function findConfigDirectory(env: Environment): string | undefined {
  return findXdgDirectory(env, 'XDG_CONFIG_HOME', '.config')
}

/** `none`: the built-in agent. */
type AgentFileOrigin = 'flag' | 'OSTLER_AGENT' | 'default' | 'none'

export interface AgentFileLocation {
  readonly path: string | undefined
  readonly foundBy: AgentFileOrigin
}

export function locateAgentFile(named: string | undefined, env: Environment): AgentFileLocation {
  const path = findAgentFile(named, env)
  if (path === undefined) return { path, foundBy: 'none' }
  if (named !== undefined) return { path, foundBy: 'flag' }
  return { path, foundBy: env['OSTLER_AGENT'] ? 'OSTLER_AGENT' : 'default' }
}
