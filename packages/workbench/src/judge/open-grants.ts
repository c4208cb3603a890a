import {
  agentName,
  loadAgentFile,
  processEnvironment,
  type Environment,
  openStoredState,
  type GrantStore,
} from '@ostler/agent-api/internal'

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
export async function openGrants({
  file: path,
  env = processEnvironment(),
  stateDir,
}: OpenGrantsOptions): Promise<Grants> {
  const { file } = await loadAgentFile(path, env)
  const agent = agentName(file.name)
  const state = openStoredState({ stateDir })
  if (state === undefined)
    return { agent, list: () => [], revoke: () => Promise.resolve(false), [Symbol.dispose]() {} }
  const { list, revoke } = state.servers.grants(agent)
  return { agent, list, revoke, [Symbol.dispose]: () => state[Symbol.dispose]() }
}
