import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadAgentFile } from './config/agent-file.ts'
import { processEnvironment } from './config/environment.ts'
import type { Environment } from './config/environment-overrides.ts'
import { messageOf, OstlerError } from './errors.ts'
import { openDatabase } from './history/database.ts'
import { agentName, createGrantStore } from './history/grants.ts'
import type { GrantStore } from './policy/grant-store.ts'

export interface OpenGrantsOptions {
  /** The agent file; without one the built-in agent, and what the environment says. */
  readonly file?: string
  readonly env?: Environment
  readonly stateDir: string
}

/** The lasting answers that were given to one agent, for a person who looks through them. Running agents share them and see every change. */
export interface Grants extends Pick<GrantStore, 'list' | 'revoke'>, Disposable {
  /** Under which name they are kept. */
  readonly agent: string
}

/** Looking creates nothing: where no state is kept yet, there are none. */
export async function openGrants({ file: path, env = processEnvironment(), stateDir }: OpenGrantsOptions): Promise<Grants> {
  const { file } = await loadAgentFile(path, env)
  const agent = agentName(file.name)
  if (!existsSync(join(stateDir, 'ostler.db'))) return { agent, list: () => [], revoke: () => false, [Symbol.dispose]() {} }
  try {
    const database = openDatabase(stateDir)
    const { list, revoke } = createGrantStore(database, agent)
    return { agent, list, revoke, [Symbol.dispose]: () => database.close() }
  } catch (error) {
    if (error instanceof OstlerError) throw error
    throw new OstlerError('history.unusable', `The state in ${stateDir} cannot be used: ${messageOf(error)}`, { cause: error })
  }
}
