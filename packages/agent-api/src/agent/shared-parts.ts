import { homeOrRoot } from '../base/find-home.ts'
import { createSlots } from '../base/slots.ts'
import { toTiming } from '../base/timing.ts'
import { agentName } from '../config/agent-name.ts'
import { processEnvironment, secretsOfEnvironment } from '../config/environment.ts'
import { retentionDefault } from '../config/retention.ts'
import { checkAgentServers, idleMsOf, isDecisive, type ServerRest } from '../policy/agent-server.ts'
import { createCallLimits } from '../policy/call-limits.ts'
import { configOfLocalTool, localToolsOf } from '../policy/local-tools.ts'
import { maxConcurrentDefault, type DefinitionHeed, type ServerPolicy } from '../policy/tool-config.ts'
import { createModelCatalog } from '../provider/catalog/model-catalog.ts'
import { createModels } from '../provider/models.ts'
import { openAgentServers } from '../servers/agent-servers.ts'
import { createDefinitionReviews, type DefinitionReview } from '../servers/definition-reviews.ts'
import { hashEntry } from '../policy/hash-entry.ts'
import { noteLiveServers } from '../servers/note-live-servers.ts'
import { loadLocks, refusalBy } from '../servers/lock/apply-locks.ts'
import { createSharedQuestions } from '../servers/shared-questions.ts'
import { wholeOf } from '../session/locked-clients.ts'
import { createMembranes } from '../session/membranes.ts'
import type { SharedParts } from '../session/session.ts'
import { connectWaitMsDefault } from '../session/wait-for-servers.ts'
import { openState } from '../state/open-state.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import { builtinToolNames, type BuiltinSettings } from '../workspace/builtin-tools.ts'
import type { AgentConfig } from './agent-config.ts'
import type { KnownServers } from '../state/servers/known-servers.ts'
import type { McpClient, McpHost } from '../mcp/mcp-client.ts'
import { openMcpClient, type OpenMcpClientOptions } from '../mcp/open-mcp-client.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import { serverIdentity } from '../policy/server-identity.ts'
import type { GrantStore } from '../policy/always-allow/grant.ts'
import { hashCanonical } from '../policy/always-allow/definition-pin.ts'
import { createCredentialHash } from './credential-hash.ts'

const stepsMaxDefault = 100
const toolBudgetDefault = 20
const compactAtDefault = 0.8

const noBuiltinTools: BuiltinSettings = Object.fromEntries(
  builtinToolNames.map((name) => [name, { enabled: false }]),
)

/** Creates what the sessions of an agent share. The agent's own servers start here. */
export function createSharedParts(
  config: AgentConfig & Required<Pick<AgentConfig, 'logger' | 'redactor'>>,
  approval: SharedParts['person']['approval'],
) {
  const { mcpServers = [], toolbox = {}, providers = {}, env = processEnvironment() } = config
  const { stateDir, logger, redactor } = config
  checkAgentServers(mcpServers)
  const apiKeys = Object.values(providers).map(({ apiKey = '' }) => apiKey)
  for (const secret of [...apiKeys, ...secretsOfEnvironment(env)]) redactor.add(secret)

  const name = agentName(config.name)
  const timing = toTiming(config.timing)
  const clearing = { agent: name, retention: config.retention ?? retentionDefault }
  const state = config.history ?? openState({ stateDir, clearing, timing, logger, redactor })

  const settings = { providers, env }
  const catalog = createModelCatalog({ settings, stateDir, logger })
  const models = createModels({
    configured: config.model,
    small: config.smallModel,
    settings,
    catalog,
    redact: redactor.redact,
    logger,
  })

  const { tools: configured = [], maxConcurrent = maxConcurrentDefault } = toolbox
  const local = localToolsOf(config.tools ?? [], configured).map((tool): OfferedTool => {
    return { tool, config: configOfLocalTool(tool, configured), home: { type: 'local' } }
  })
  const grants = state.servers.grants(name)
  const reviews = new WeakMap<McpClient, DefinitionReview>()
  const openClient = createClientOpener({
    ...config,
    timing,
    knownServers: state.servers.known(name),
    grants,
    openReview: createDefinitionReviews(state.servers.baselines(name), logger),
    reviews,
  })
  const questions = createSharedQuestions(config.elicitModes ?? (() => []), logger)
  const locks = loadLocks(config.lockFile === undefined ? [] : [config.lockFile])
  const own = openAgentServers({
    servers: mcpServers,
    cwd: config.cwd ?? homeOrRoot(env),
    configured,
    openClient(server, host, entry) {
      // Servers that decide whether the agent may start must be checked, not remembered.
      const isRemembered = !mcpServers.includes(entry) || !isDecisive(entry)
      const refusal = refusalBy(locks, {
        owner: 'agent',
        name: server.name,
        written: entry.written ?? server,
      })
      const own = refusal === undefined ? host : { ...host, refusal }
      return openClient(server, own, { loginName: server.name, isRemembered, rest: entry })
    },
    questions: questions.host,
    logger,
    known: {
      servers: config.knownServers ?? [],
      tools:
        config.sessionServers?.mode === 'strict'
          ? undefined
          : [...builtinToolNames, ...local.map(({ tool }) => tool.ref.tool), ...(config.sessionTools ?? [])],
    },
  })

  const callSlots = createSlots({ activeMax: maxConcurrent, of: 'a slot' })
  const shared: SharedParts = {
    name,
    project: {
      systemPrompt: config.systemPrompt,
      commands: config.commands ?? [],
      readsInstructions: config.projectInstructions ?? true,
      readsSkills: config.skills ?? true,
      env,
      home: env['HOME'] ?? env['USERPROFILE'],
    },
    tools: {
      servers: own.set,
      live: noteLiveServers(own.set, { agent: name, sessionId: null }, state.presence),
      checked: own.checked,
      rejected: () => own.added.rejected,
      questions,
      openClient: (server, host) =>
        openClient(server, host, { isRemembered: true, rest: shared.tools.policy }),
      reviewOf: (client) => reviews.get(wholeOf(client)),
      local,
      limits: createCallLimits(callSlots),
      callSlots,
      configured,
      builtin: config.builtinTools === false ? noBuiltinTools : (config.builtinTools ?? {}),
      ownFiles: config.ownFiles ?? [],
      lockFile: config.lockFile,
      policy: {
        mode: 'dynamic',
        ...config.sessionServers,
        start: config.sessionServers?.start ?? 'known-on-demand',
      },
      budget: config.toolBudget ?? toolBudgetDefault,
      connectWaitMs: config.connectWaitMs ?? connectWaitMsDefault,
    },
    person: {
      approval,
      grants,
      logins: config.logins,
      openLoginOffers: new Map(),
      openDefinitionQuestions: new Map(),
      stateDir,
    },
    models,
    turns: {
      stepsMax: config.maxSteps ?? stepsMaxDefault,
      compactAt: config.compactAt ?? compactAtDefault,
      timing,
    },
    state,
    membranes: createMembranes(redactor, config.remoteImages ?? 'text'),
    timing,
    logger,
  }
  return { shared, own, catalog }
}

interface ClientOpenerOptions extends Pick<
  OpenMcpClientOptions,
  'logins' | 'timing' | 'logger' | 'redactor'
> {
  readonly knownServers: KnownServers
  readonly grants: GrantStore
  readonly openReview: ReturnType<typeof createDefinitionReviews>
  readonly reviews: WeakMap<McpClient, DefinitionReview>
  readonly definitionChanges?: DefinitionHeed | undefined
  readonly stateDir?: string | undefined
  readonly ownFiles?: readonly string[] | undefined
}

/**
 * Servers from an editor have no name for a login. With `isRemembered`, a known server offers its tools at
 * once.
 */
function createClientOpener({
  knownServers,
  grants,
  openReview,
  reviews,
  definitionChanges,
  stateDir,
  ownFiles,
  logins,
  timing,
  logger,
  redactor,
}: ClientOpenerOptions) {
  const hashCredentials = createCredentialHash(stateDir, logins)
  return (
    config: McpServerConfig,
    host: McpHost,
    {
      loginName,
      isRemembered,
      rest,
    }: {
      readonly loginName?: string
      readonly isRemembered: boolean
      readonly rest: ServerRest & Pick<ServerPolicy, 'definitionChanges'>
    },
  ): McpClient => {
    // Resolved before the start, because the program that is found now is the one that runs.
    const identity = hashCanonical(serverIdentity(config, host.cwd, loginName !== undefined))
    const key = {
      identity,
      // Hashed each time, because a person can log in while the server is connected.
      get credentials() {
        return hashCredentials(identity, config)
      },
    }
    let known = isRemembered && host.refusal === undefined ? knownServers.find(key) : undefined
    const startsOnUse = known !== undefined && rest.start === 'known-on-demand'
    const idleMs = idleMsOf(rest)
    const asking: McpHost = {
      ...host,
      // An answer for always also counts while no session uses the server.
      async askHost(asked, signal) {
        const { isGrantedHost } = await import('../session/host-consent.ts')
        return isGrantedHost(grants, host.cwd, asked) || (await host.askHost?.(asked, signal)) === true
      },
    }
    const own = { ownFiles, stateDir }
    const shared = { host: asking, own, logger, redactor, logins, loginName, timing }
    const filter = openReview(identity, rest.definitionChanges ?? definitionChanges)
    const client = openMcpClient({ ...shared, config, known, filter, startsOnUse, idleMs })
    reviews.set(client, filter)
    const remember = () => {
      // Read first, because reading it compares it.
      const { seen } = client
      // The next process must not offer what this one has not told.
      if (seen === undefined || seen === known || filter.open.tell !== undefined) return
      known = seen
      const passed = { folder: host.cwd, name: config.name, entry: hashEntry(config) }
      knownServers.keep(key, loginName === undefined ? { ...seen, passed } : seen)
    }
    if (isRemembered) client.onChange(remember)
    return client
  }
}
