import { dirname } from 'node:path'
import { agentName } from '../config/agent-name.ts'
import { createAgent, type Agent } from './agent.ts'
import type { AgentConfig } from './agent-config.ts'
import { processEnvironment } from '../config/environment.ts'
import type { DescribedAgent } from './describe-agent.ts'
import { hasOverrides, type Environment } from '../config/environment-overrides.ts'
import { followAgentFile, type FollowedSettings } from './follow-agent-file.ts'
import { openState } from '../state/open-state.ts'
import { retentionDefault } from '../config/retention.ts'
import { defined } from '../base/is-record.ts'
import { silentLogger } from '../base/logger.ts'
import { createLogins } from '../mcp/oauth/logins.ts'
import { toTiming } from '../base/timing.ts'
import { createRedactor } from '../redaction/redact.ts'
import { preferredSecretStore } from '../servers/stored/server-secrets.ts'
import { followStoredServers } from '../servers/stored/follow-stored-servers.ts'

/**
 * The locations of an agent's file and state. A model, a mode and a number of steps override the file's, and the file overrides
 * `connectWaitMs`. The mode is not stored.
 */
export interface OpenAgentOptions extends Pick<
  AgentConfig,
  | 'connectWaitMs'
  | 'elicitModes'
  | 'logger'
  | 'maxSteps'
  | 'mode'
  | 'model'
  | 'redactor'
  | 'sessionTools'
  | 'stateDir'
  | 'timing'
> {
  /** The agent file. Without one, the built-in agent with environment overrides. */
  readonly file?: string
  /** Returns the current path of the agent file, which may appear while the agent runs. */
  readonly findFile?: () => string | undefined
  /** The directory in which `findFile` looks. If it is known, a change is awaited there, and nothing is checked each second. */
  readonly findFileIn?: string | undefined
  readonly env?: Environment
}

const builtInAgent: DescribedAgent = { name: undefined, config: {}, file: undefined }

/** Opens the agent that an agent file describes. */
export async function openAgent(options: OpenAgentOptions = {}): Promise<Agent> {
  const {
    file: path,
    findFile = () => path,
    findFileIn = options.findFile === undefined && path !== undefined ? dirname(path) : undefined,
    env = processEnvironment(),
    connectWaitMs,
    elicitModes,
    model,
    mode,
    maxSteps,
    sessionTools,
    stateDir,
    logger = silentLogger,
    redactor = createRedactor(),
  } = options
  // Most people have no agent file. Reading one needs YAML and a schema, which take longer than everything else here. The choice of the
  // model handles `OSTLER_MODEL`.
  const { OSTLER_MODEL: _, ...others } = env
  const described =
    path === undefined && !hasOverrides(others) ? undefined : await import('./describe-agent.ts')
  const { name, config, file } =
    (await described?.describeAgent(path, env, { logger, redactor })) ?? builtInAgent
  const timing = toTiming(options.timing)
  const fileServers = Object.keys(file?.mcpServers ?? {})
  const clearing = { agent: agentName(name), retention: config.retention ?? retentionDefault }
  const state = openState({ stateDir, clearing, timing, logger, redactor })
  const agent = createAgent({
    ...config,
    connectWaitMs: config.connectWaitMs ?? connectWaitMs,
    name,
    ...defined({ elicitModes, model, maxSteps, sessionTools }),
    timing,
    env,
    history: state,
    stateDir,
    ...(stateDir !== undefined && {
      logins: createLogins({ stateDir, timing, redactor, logger, prefer: () => preferredSecretStore(env) }),
    }),
    logger,
    redactor,
  })
  let chosen = file?.storedServers ?? 'all'
  const agentFileServers = () => ({ choice: chosen, fileServers })
  const following =
    stateDir === undefined
      ? undefined
      : followStoredServers({
          stored: state.servers,
          changes: state.changes,
          servers: agent.addedServers,
          agentFileServers,
          stateDir,
          env,
          logger,
          redactor,
        })
  const onChange = (settings: FollowedSettings) => {
    agent.setApproval(settings.approval)
    chosen = settings.storedServers
    following?.refresh()
  }
  const followingFile = followAgentFile({
    find: findFile,
    directory: findFileIn,
    env,
    file,
    onChange,
    timing,
    logger,
  })
  if (mode === 'fenced') await agent.findModes(mode)
  return {
    ...agent,
    createSession: (session) => agent.createSession({ mode, ...session }),
    reopenSession: (id, session) => agent.reopenSession(id, { mode, ...session }),
    async [Symbol.asyncDispose]() {
      following?.[Symbol.dispose]()
      followingFile[Symbol.dispose]()
      await agent[Symbol.asyncDispose]()
      state[Symbol.dispose]()
    },
  }
}
