import { agentName } from '../config/agent-name.ts'
import { createModels } from '../provider/models.ts'
import { createClientOpener } from './client-opener.ts'
import { processEnvironment, secretsOfEnvironment } from '../config/environment.ts'
import { messageOf, OstlerError } from '../base/errors.ts'
import { homeOrRoot } from '../base/find-home.ts'
import type { State } from '../state/state.ts'
import { openState } from '../state/open-state.ts'
import { withEntry, type RestoredFacts } from '../state/sessions/restored-facts.ts'
import { retentionDefault, type Retention } from '../config/retention.ts'
import type { SessionQuery, SessionSummary } from '../state/sessions/session-entry.ts'
import type { SessionId } from '../base/ids.ts'
import { silentLogger, type Logger } from '../base/logger.ts'
import type { Logins } from '../mcp/oauth/logins.ts'
import { secretsOf } from '../mcp/secrets-of.ts'
import { toTiming, type Timing } from '../base/timing.ts'
import { checkAgentServers, type AgentServer, type SessionServerPolicy } from '../policy/agent-server.ts'
import type { ApprovalMode } from '../policy/approval-mode.ts'
import { loosening, type Approval, type ReadApproval } from '../policy/approval.ts'
import { builtinToolNames, type BuiltinSettings } from '../workspace/builtin-tools.ts'
import { createCallLimits } from '../policy/call-limits.ts'
import { configOfLocalTool, localToolsOf, type LocalTools } from '../policy/local-tools.ts'
import { maxConcurrentDefault, type ConfiguredTool } from '../policy/tool-config.ts'
import type { ModelChoice, ModelSettings, ProviderConfig } from '../provider/model.ts'
import { createModelCatalog } from '../provider/catalog/model-catalog.ts'
import { isThoughtChoice, type ThoughtChoice, type ThoughtLevel } from '../provider/thought-level.ts'
import { createRedactor, type Redactor } from '../redaction/redact.ts'
import type { AddedServers } from '../servers/added-servers.ts'
import { isDecisive, openAgentServers, type KnownNames } from '../servers/agent-servers.ts'
import { createSharedQuestions, type ElicitModes } from '../servers/shared-questions.ts'
import type { ChatSession, SessionOptions } from '../session/chat-session.ts'
import { isOwnCommand } from '../session/commands.ts'
import { createMembranes } from '../session/membranes.ts'
import { openSession } from '../session/open-session.ts'
import { connectWaitMsDefault } from '../session/wait-for-servers.ts'
import type { StoredSession } from '../session/session-record.ts'
import type { RemoteImages } from '../session/remote-images.ts'
import type { CustomCommand } from '../session/project.ts'
import type { SharedParts } from '../session/session.ts'
import { noteLiveServers } from '../servers/note-live-servers.ts'
import { createSlots } from '../base/slots.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'

/** The settings of an agent. All are optional: without any, it has the built-in tools, and asks before each call that does more than read. */
export interface AgentConfig {
  /** The name under which its grants, sessions and calls are stored. */
  readonly name?: string
  readonly systemPrompt?: string
  /** `provider/model`. Defaults to `OSTLER_MODEL`, then the first vendor with a key, then `offline`. */
  readonly model?: string
  /** `provider/model` for side work, such as titles and summaries. Defaults to the session's model. */
  readonly smallModel?: string
  /** The thinking level of new sessions. By default, the model decides. */
  readonly thoughtLevel?: ThoughtChoice
  readonly providers?: Readonly<Record<string, ProviderConfig>>
  /** The source of keys and base URLs. Defaults to the process environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The folder in which the agent's own servers start. Defaults to the home directory, because the working directory may be somebody else's project. */
  readonly cwd?: string
  /** The agent's own servers, shared by its sessions. */
  readonly mcpServers?: readonly AgentServer[]
  /**
   * Kinds of questions for the person of every session: `form`, `url`. The agent's own servers are told so.
   * Nothing by default.
   */
  readonly elicitModes?: ElicitModes
  /** Local tools. Each must be in `toolbox.tools`, unless the mode is `open`. */
  readonly tools?: LocalTools
  /** Settings of the built-in tools by name. False: none of them is offered. */
  readonly builtinTools?: BuiltinSettings | false
  /** Files that define the agent. Built-in tools ask before they read or change them. */
  readonly ownFiles?: readonly string[]
  readonly toolbox?: { readonly maxConcurrent?: number; readonly tools?: readonly ConfiguredTool[] }
  /** Names of unused servers that `toolbox.tools` may still refer to. */
  readonly knownServers?: readonly string[]
  /** Names of session tools that `toolbox.tools` may refer to. */
  readonly sessionTools?: readonly string[]
  /** Number of searchable tools that are offered for one prompt. */
  readonly toolBudget?: number
  /** The part of the context window that may be filled before older messages are left out. Between 0 and 1; 0.8 by default. */
  readonly compactAt?: number
  /** Whether the model reads the instructions of the project, such as `AGENTS.md`. True by default. */
  readonly projectInstructions?: boolean
  /** Whether the skills of the project and of the home directory are offered. True by default. */
  readonly skills?: boolean
  /** Further slash commands. */
  readonly commands?: readonly CustomCommand[]
  /** The policy for session servers. */
  readonly sessionServers?: Partial<SessionServerPolicy>
  readonly mode?: ApprovalMode
  readonly trustedTools?: readonly string[]
  /** Whether reading inside the session's directories needs approval. Defaults to `allow`. */
  readonly reads?: ReadApproval
  /** The folder for sessions, calls, grants and the vendors' lists of models. In memory if undefined. */
  readonly stateDir?: string
  /** An open history, instead of one in `stateDir`. It stays open when the agent ends. */
  readonly history?: State
  /** Limits on stored data, if `history` is undefined. */
  readonly retention?: Retention
  readonly maxSteps?: number
  /** Presentation of remote images. Defaults to `text`, which shows their address. */
  readonly remoteImages?: RemoteImages
  /** Maximum time that the first step of a prompt waits for connecting servers. */
  readonly connectWaitMs?: number
  /** Logins as made by `ostler mcp login`. Without them, a server that requires one fails. */
  readonly logins?: Logins
  /** For tests. */
  readonly timing?: Partial<Timing>
  readonly logger?: Logger
  readonly redactor?: Redactor
}

/** Disposing it ends its sessions and servers. */
export interface Agent extends AsyncDisposable {
  /** Servers that are added and removed while the agent runs. */
  readonly addedServers: AddedServers
  /**
   * Settles once the agent's own servers have connected or failed. Rejects with an `agent.*` error if a required server did not connect, or
   * a strict one offers unconfigured tools. Then no session can be opened and no prompt is answered. This is settled before the first
   * prompt is answered.
   */
  readonly started: Promise<void>
  createSession(options: SessionOptions): ChatSession
  /** Continues a stored session with the given servers. Rejects with `session.unknown`. */
  reopenSession(id: SessionId, options: Omit<SessionOptions, 'id'>): Promise<ChatSession>
  /** A stored session of this agent. */
  findSession(id: SessionId): SessionSummary | undefined
  /** Stored sessions, most recently used first. */
  listSessions(query: Omit<SessionQuery, 'agent'>): readonly SessionSummary[]
  /** Deletes a session with all its data. It must not be open. False if it does not exist. */
  deleteSession(id: SessionId): Promise<boolean>
  /** Settles once everything so far is stored, or cannot be stored for now. */
  kept(): Promise<void>
  /** Throws `model.unknown` or `model.no_key` if the default model cannot be used. */
  checkModel(): void
  /** The entries of the model menu. All of them can be selected. */
  models(): readonly ModelChoice[]
  /** The levels of thinking of a model, from least to most. Empty if there is no choice. */
  thoughtLevels(model: string): readonly ThoughtLevel[]
  /** Applies to new sessions. Open sessions keep their settings, and report it if the new ones ask less. */
  setApproval(approval: Approval): void
  /** Removes the secrets that the agent knows. For text that did not come from a session. */
  redact(text: string): string
}

function admitTools(config: AgentConfig): OfferedTool[] {
  const configured = config.toolbox?.tools ?? []
  return localToolsOf(config.tools ?? [], configured).map((tool) => ({
    tool,
    config: configOfLocalTool(tool, configured),
    home: { type: 'local' },
  }))
}

/** Names that `toolbox.tools` may mention besides those of the agent's own servers. */
function knownNames(
  { knownServers = [], sessionServers, sessionTools = [] }: AgentConfig,
  localTools: readonly OfferedTool[],
): KnownNames {
  const tools = [...builtinToolNames, ...localTools.map(({ tool }) => tool.ref.tool), ...sessionTools]
  return { servers: knownServers, tools: sessionServers?.mode === 'strict' ? undefined : tools }
}

/** Undefined if the new approval is at least as strict as the old one. */
function noteOfLoosening(before: Approval, now: Approval): string | undefined {
  const change = loosening(before, now)
  if (change === undefined) return undefined
  return `The agent file now lets new sessions run more without asking: ${change}. This session keeps its own settings.`
}

const noBuiltinTools: BuiltinSettings = Object.fromEntries(
  builtinToolNames.map((name) => [name, { enabled: false }]),
)

const stepsMaxDefault = 100
const toolBudgetDefault = 20
const compactAtDefault = 0.8

function secretsOfModels({ providers, env }: ModelSettings): readonly string[] {
  return [...Object.values(providers).map(({ apiKey = '' }) => apiKey), ...secretsOfEnvironment(env)]
}

/** The parts of an agent that its sessions share. The agent's own servers start here. */
function createParts(config: AgentConfig, approval: () => Approval) {
  const name = agentName(config.name)
  const { logger = silentLogger, redactor = createRedactor(), mcpServers = [] } = config
  checkAgentServers(mcpServers)
  const timing = toTiming(config.timing)
  const localTools = admitTools(config)
  const settings: ModelSettings = {
    providers: config.providers ?? {},
    env: config.env ?? processEnvironment(),
  }
  for (const secret of secretsOfModels(settings)) redactor.add(secret)

  const state =
    config.history ??
    openState({
      stateDir: config.stateDir,
      clearing: { agent: name, retention: config.retention ?? retentionDefault },
      timing,
      logger,
      redactor,
    })
  const { tools: configured = [], maxConcurrent = maxConcurrentDefault } = config.toolbox ?? {}
  const openClient = createClientOpener({
    ...config,
    timing,
    knownServers: state.servers.known(name),
    logger,
    redactor,
  })
  const callSlots = createSlots({ activeMax: maxConcurrent, of: 'a slot' })
  const catalog = createModelCatalog({ settings, stateDir: config.stateDir, logger })
  const models = createModels({
    configured: config.model,
    small: config.smallModel,
    settings,
    catalog,
    redact: redactor.redact,
    logger,
  })
  const questions = createSharedQuestions(config.elicitModes ?? (() => []), logger)
  const own = openAgentServers({
    servers: mcpServers,
    cwd: config.cwd ?? homeOrRoot(settings.env),
    configured,
    openClient(server, host) {
      // Servers that decide whether the agent may start must be checked, not remembered.
      const entry = mcpServers.find(({ config: each }) => each === server)
      return openClient(server, host, {
        loginName: server.name,
        isRemembered: entry === undefined || !isDecisive(entry),
      })
    },
    questions: questions.host,
    logger,
    known: knownNames(config, localTools),
  })
  const { env } = settings
  const side: SharedParts = {
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
      checked: own.checked,
      rejected: () => own.added.rejected,
      questions,
      openClient: (server, host) => openClient(server, host, { isRemembered: true }),
      local: localTools,
      limits: createCallLimits(callSlots),
      callSlots,
      configured,
      builtin: config.builtinTools === false ? noBuiltinTools : (config.builtinTools ?? {}),
      ownFiles: config.ownFiles ?? [],
      policy: { mode: 'dynamic', ...config.sessionServers },
      budget: config.toolBudget ?? toolBudgetDefault,
      connectWaitMs: config.connectWaitMs ?? connectWaitMsDefault,
    },
    person: {
      get approval() {
        return approval()
      },
      grants: state.servers.grants(name),
      logins: config.logins,
      openLoginOffers: new Map(),
      stateDir: config.stateDir,
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
  return { side, own, catalog, models, redactor }
}

/** Starts the agent's own servers and returns at once. Sessions and servers end with `[Symbol.asyncDispose]()`. */
export function createAgent(config: AgentConfig = {}): Agent {
  const { mode: firstMode = 'always-ask', trustedTools = [], reads = 'allow' } = config
  let approval: Approval = { mode: firstMode, trustedTools, reads }
  const { side, own, catalog, models, redactor } = createParts(config, () => approval)
  const { name, state, logger } = side
  /** Open sessions with the approval settings they were opened with. */
  const sessions = new Map<ChatSession, Approval>()
  const liveServers = noteLiveServers(own.set, { agent: name, sessionId: null }, state.presence)
  let failure: OstlerError | undefined
  let isClosed = false
  own.checked.catch((error: OstlerError) => (failure = error))

  function open(options: SessionOptions & { readonly stored?: StoredSession }): ChatSession {
    // A session may still be loading from the history when the agent closes.
    if (isClosed) throw new OstlerError('session.closed', 'The agent is closed.')
    const stored = options.stored?.summary
    for (const client of own.set.clients.values()) client.wake()
    const model = models.choose(options.model, stored?.model)
    const mode = options.mode ?? stored?.mode ?? approval.mode
    const storedLevel = isThoughtChoice(stored?.thoughtLevel) ? stored.thoughtLevel : undefined
    const thoughtLevel = options.thoughtLevel ?? storedLevel ?? config.thoughtLevel ?? 'default'
    const session = openSession(side, { ...options, model, mode, thoughtLevel }, () => {
      sessions.delete(session)
      state.sessions.release(session.id)
    })
    sessions.set(session, approval)
    catalog.refresh(model)
    return session
  }

  /** Excludes other agents' sessions in the same database. */
  function findSession(id: SessionId): SessionSummary | undefined {
    const stored = state.sessions.find(id)
    return stored?.agent === name ? stored : undefined
  }

  return {
    addedServers: own.added,
    started: own.started,
    createSession(options) {
      if (failure !== undefined) throw failure
      return open(options)
    },
    async reopenSession(id, options) {
      // Rows may be older than these secrets. The servers' clients would add them too late, because the rows are read first.
      for (const secret of (options.sessionMcpServers ?? []).flatMap(secretsOf)) redactor.add(secret)
      const summary = findSession(id)
      if (summary === undefined)
        throw new OstlerError('session.unknown', 'There is no such session.', { data: { sessionId: id } })
      let facts: RestoredFacts = {}
      const messages = await state.sessions.conversation(id, {
        onEntry: (entry) => (facts = withEntry(facts, entry)),
        isOwnCommand,
      })
      if (failure !== undefined) throw failure
      return open({ ...options, id, stored: { summary, messages, facts } })
    },
    findSession,
    listSessions: (query) => state.sessions.list({ ...query, agent: name }),
    deleteSession: async (id) => findSession(id) !== undefined && state.sessions.delete(id),
    kept: () => state.flushed(),
    checkModel: models.check,
    models: models.list,
    thoughtLevels: models.thoughtLevels,
    setApproval(value) {
      approval = value
      for (const [session, before] of sessions) session.note(noteOfLoosening(before, value))
    },
    redact: (text) => redactor.redact(text),
    async [Symbol.asyncDispose]() {
      isClosed = true
      catalog[Symbol.dispose]()
      // A session that fails to end must not keep the rest open.
      const ends = await Promise.allSettled(
        [...sessions.keys()].map((session) => session[Symbol.asyncDispose]()),
      )
      liveServers[Symbol.dispose]()
      ends.push(...(await Promise.allSettled([own.set[Symbol.asyncDispose](), config.logins?.settled()])))
      if (config.history === undefined) state[Symbol.dispose]()
      for (const end of ends)
        if (end.status === 'rejected')
          logger.error('failed to close a resource', { error: messageOf(end.reason) })
    },
  }
}
