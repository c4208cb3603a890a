import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Environment } from './environment-overrides.ts'

const fileNames = ['ostler.yaml', 'ostler.yml', 'ostler.json', 'ostler.jsonc']

/**
 * Finds the agent file: the given path, `OSTLER_AGENT`, or the one in the user's configuration directory. Never the working directory:
 * opening a stranger's project must not start a stranger's servers.
 */
export function findAgentFile(named: string | undefined, env: Environment): string | undefined {
  const asked = named ?? (env['OSTLER_AGENT'] || undefined)
  if (asked !== undefined) return resolve(asked)
  const directory = configDirectory(env)
  return fileNames.map((name) => join(directory, name)).find((file) => existsSync(file))
}

export function configDirectory(env: Environment): string {
  return join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'ostler')
}
