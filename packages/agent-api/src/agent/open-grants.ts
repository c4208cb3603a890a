import { agentName } from '../config/agent-name.ts'
import { loadAgentFile } from '../config/agent-file.ts'
import { processEnvironment } from '../config/environment.ts'
import type { Environment } from '../config/environment-overrides.ts'
import { openStoredHistory } from '../history/open-history.ts'
import type { GrantStore } from '../policy/grant-store.ts'

export interface OpenGrantsOptions {
  /** The agent file. Without one, the built-in agent with environment overrides. */
  readonly file?: string
  readonly env?: Environment
  readonly stateDir: string
}

/** The lasting grants of one agent, for a person to review. Running agents share them and see every change. */
export interface Grants extends Pick<GrantStore, 'list' | 'revoke'>, Disposable {
  /** The name under which they are stored. */
  readonly agent: string
}

/** Creates nothing: without stored state, there are no grants. */
export async function openGrants({ file: path, env = processEnvironment(), stateDir }: OpenGrantsOptions): Promise<Grants> {
  const { file } = await loadAgentFile(path, env)
  const agent = agentName(file.name)
  const history = openStoredHistory({ stateDir })
  if (history === undefined) return { agent, list: () => [], revoke: () => Promise.resolve(false), [Symbol.dispose]() {} }
  const { list, revoke } = history.grants(agent)
  return { agent, list, revoke, [Symbol.dispose]: () => history[Symbol.dispose]() }
}
