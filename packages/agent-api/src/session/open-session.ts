import { OstlerError } from '../base/errors.ts'
import { createSessionId } from '../base/ids.ts'
import { createListeners } from '../base/listeners.ts'
import { createWarnOnce } from '../base/warn-once.ts'
import type { RestoredFacts } from '../history/restored-facts.ts'
import type { SessionSummary } from '../history/session-entry.ts'
import { latestEvery } from '../base/latest-every.ts'
import type { McpHost } from '../mcp/mcp-client.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import { afterBriefingChange } from '../messages/briefing.ts'
import { createConversation } from '../messages/conversation.ts'
import type { Message } from '../messages/message.ts'
import { createCallLimits } from '../policy/call-limits.ts'
import { createSharedApprover } from './shared-approver.ts'
import { createSharedElicit, createSharedLogin, type SharedElicitOptions } from './shared-elicit.ts'
import { createGate } from '../policy/gate.ts'
import { preloadTurn } from './preload-turn.ts'
import type { ChatSession, OfferLogin, SessionChange, SessionOptions } from './chat-session.ts'
import { localToolsOf } from '../policy/local-tools.ts'
import { admitBuiltinTools, createBuiltinTools } from './builtin-tools.ts'
import { listCommands } from './commands.ts'
import { createLoginOffers } from './login-offers.ts'
import { createStartConsent } from './start-consent.ts'
import { createPromptRunner, type PromptRunner } from './prompt-runner.ts'
import { openServerSet } from '../servers/server-set.ts'
import { nameWarnings, reportOf, resourceServersOf, toolsOf, type AgentSide, type SessionState } from './session-state.ts'
import { createSessionResources } from './session-resources.ts'
import { createSessionMemory, tellAgain } from './session-memory.ts'
import { loadSessionSkills } from './session-skills.ts'
import { createSessionResults } from './session-results.ts'
import { iconsOf } from './icons-of.ts'
import { runTask } from './run-task.ts'
import { createSettings, type SessionChoices } from './settings.ts'
import { noteLiveServers } from '../servers/note-live-servers.ts'

/** The answer that opens a session goes out first. */
const preloadAfterMs = 25
/** News of servers that come faster are told together. */
const newsEveryMs = 50

/** A session as it is stored, and the messages that its model knows. */
export interface StoredSession {
  readonly summary: SessionSummary
  readonly messages: readonly Message[]
  readonly facts: RestoredFacts
}

export interface OpenSessionOptions extends Omit<SessionOptions, keyof SessionChoices>, SessionChoices {
  readonly stored?: StoredSession
}

/** Returns at once: the servers of the session connect in the background. */
export function openSession(agent: AgentSide, options: OpenSessionOptions, onClosed: () => void): ChatSession {
  const { cwd, additionalDirectories = [] } = options
  const stored = options.stored?.summary
  const summary = toSummary(agent.name, options)
  const { id } = summary
  const listeners = createListeners<[SessionChange]>('a session', agent.logger)
  let closed: Promise<void> | undefined

  function tell(what: SessionChange): void {
    if (closed !== undefined) return
    listeners.tell(what)
    if (what === 'model' || what === 'servers') commands.refresh()
  }

  const asking: SharedElicitOptions = {
    questions: agent.history.questions,
    agent: agent.name,
    sessionId: id,
    logger: agent.logger,
    calls: () => agent.history.callRecorder({ agent: agent.name, sessionId: id, turn: settings.current.turns }),
  }
  const runner = createPromptRunner({ ...options, elicit: createSharedElicit(options.elicit, asking) })
  const state = createState(agent, options, summary, { runner, asking, tell })
  const { log, settings, servers } = state
  if (stored !== undefined) log.mergeCutOffTurns()
  const commands = createCommandList(state, () => tell('commands'))
  const watch = watchSurroundings(state, { offerLogin: createSharedLogin(options.offerLogin, asking), commands, tell })

  async function close(): Promise<void> {
    runner.cancel()
    watch[Symbol.dispose]()
    state.resources[Symbol.dispose]()
    listeners.clear()
    await Promise.all([runner.ended().then(() => state.builtin[Symbol.asyncDispose]()), servers[Symbol.asyncDispose]()])
    onClosed()
  }

  return {
    id,
    cwd,
    additionalDirectories,
    get model() {
      return settings.current.model
    },
    get mode() {
      return settings.current.mode
    },
    get thoughtLevel() {
      return settings.current.thoughtLevel
    },
    get title() {
      return settings.current.title ?? undefined
    },
    get updatedAt() {
      return settings.current.updatedAt
    },
    get commands() {
      return commands.current
    },
    async *prompt(content, { signal } = {}) {
      if (closed !== undefined) throw new OstlerError('session.closed', 'The session is closed.')
      yield* runner.run(state, content, signal)
    },
    cancel: runner.cancel,
    addSessionMcpServer(config) {
      servers.add(config, agent.sessionPolicy)
    },
    removeSessionMcpServer: (name) => servers.remove(name),
    getSessionMcpClients: () => servers.clients,
    serverReport: () => reportOf(state),
    iconsOf: (ref) => iconsOf(state, ref),
    note(text) {
      if (text === state.note) return
      state.note = text
      tell('notes')
    },
    serversSettled: Promise.all([servers.settled(), agent.servers.settled()]).then(() => undefined),
    async setModel(model) {
      if (model === settings.current.model) return
      await agent.openModel(model)
      settings.change({ model })
    },
    setMode: (mode) => settings.change({ mode }),
    setThoughtLevel: (thoughtLevel) => settings.change({ thoughtLevel }),
    transcript: () => agent.history.transcript(id),
    onChange: listeners.add,
    [Symbol.asyncDispose]() {
      closed ??= close()
      return closed
    },
  }
}

interface Surroundings {
  readonly offerLogin: OfferLogin | undefined
  readonly commands: ReturnType<typeof createCommandList>
  readonly tell: (what: SessionChange) => void
}

/** Follows the servers and models of a session, and loads what its first prompt needs. */
function watchSurroundings(state: SessionState, { offerLogin, commands, tell }: Surroundings): Disposable {
  const { agent, servers } = state
  const warnOfNames = createWarnOnce(agent.logger)
  const offers = offerLogin && createLoginOffers(state, offerLogin)
  state.loginOffers = offers
  const ended = new AbortController()

  /** If only the agent's servers share a name, the agent reports it. */
  function warnOfSharedNames(): void {
    for (const { servers: names, message } of nameWarnings(state)) {
      if (names.some((name) => servers.clients.has(name))) warnOfNames(message)
    }
  }

  /** Each looks at all servers, so the news of many is told together. */
  const news = latestEvery(newsEveryMs, () => {
    warnOfSharedNames()
    offers?.look()
    state.startConsent.look(servers.clients.values(), ended.signal)
    tell('servers')
  })

  warnOfSharedNames()
  // Load the code of a turn while the person writes the first prompt. If that fails, the prompt reports it.
  const preload = setTimeout(() => {
    void preloadTurn(state).catch(() => undefined)
    void loadSessionSkills(state).then(commands.refresh)
  }, preloadAfterMs).unref()
  const stopWatching = [
    ...[servers, agent.servers].map((each) => each.onChange(news.next)),
    news.stop,
    agent.models.onChange(() => tell('models')),
  ]
  offers?.look()
  const joined = agent.questions.join(state.asked)
  const liveServers = noteLiveServers(servers, { agent: agent.name, sessionId: state.id, cwd: state.cwd }, agent.history)
  return {
    [Symbol.dispose]() {
      clearTimeout(preload)
      ended.abort()
      for (const stop of stopWatching) stop()
      offers?.[Symbol.dispose]()
      liveServers[Symbol.dispose]()
      joined[Symbol.dispose]()
    },
  }
}

/** The slash commands. Listeners are told when they change. */
function createCommandList(state: SessionState, onChange: () => void) {
  let current = listCommands(state)
  return {
    get current() {
      return current
    },
    refresh() {
      const before = JSON.stringify(current)
      current = listCommands(state)
      if (JSON.stringify(current) !== before) onChange()
    },
  }
}

function createState(
  agent: AgentSide,
  options: OpenSessionOptions,
  summary: SessionSummary,
  {
    runner,
    asking,
    tell,
  }: { readonly runner: PromptRunner; readonly asking: SharedElicitOptions; readonly tell: (what: SessionChange) => void },
): SessionState {
  const { cwd, additionalDirectories = [], rejectedServers = [], sessionMcpServers = [], model, mode, thoughtLevel } = options
  const { logger, configured } = agent
  const tools = localToolsOf(options.tools ?? [], configured)
  const log = agent.history.sessionLog(summary, { isStored: options.stored !== undefined })
  const settings = createSettings(log, { additionalDirectories, model, mode, thoughtLevel }, tell)
  const changes = agent.history.fileChanges(summary.id, () => settings.current.turns)
  const memory = createSessionMemory(model, { messages: options.stored?.messages, briefing: options.stored?.facts.briefing })
  const approver =
    options.approver &&
    createSharedApprover({
      ...asking,
      approver: options.approver,
      schemaOf: (ref) => toolsOf(state).find(({ tool }) => tool.ref.server === ref.server && tool.ref.tool === ref.tool)?.tool.inputSchema,
    })
  const startConsent = createStartConsent({ agent, cwd, approver, calls: asking.calls })
  const state: SessionState = {
    agent,
    cwd,
    id: summary.id,
    log,
    settings,
    memory,
    conversation: createConversation(memory, {
      onAdded: (message) => keep(state, message),
      onChanged(change) {
        log.change(change)
        memory.briefing = afterBriefingChange(memory.briefing, change)
        if (change.type === 'compacted') tellAgain(memory)
      },
    }),
    toolOrder: new Map(),
    cost: { current: options.stored?.facts.cost },
    skills: { list: [], problems: [], tools: [] },
    startConsent,
    servers: openSessionServers(
      agent,
      {
        cwd,
        roots: [cwd, ...additionalDirectories],
        relay: options.relay,
        prepareStart: startConsent.prepareStart,
        ...runner.hostOf('session'),
      },
      sessionMcpServers,
    ),
    limits: createCallLimits(agent.callSlots),
    rejectedServers,
    builtin: createBuiltinTools({
      roots: [cwd, ...additionalDirectories],
      ownFiles: agent.ownFiles,
      editor: options.workspace,
      configured,
      settings: agent.builtinTools,
      changes,
      memory,
      runTask: (task, context) => runTask(state, runner.turn(), task, context),
      others: [...agent.tools.map(({ tool }) => tool), ...tools],
      timing: agent.timing,
      logger,
      cleaner: agent.membranes.texts,
    }),
    tools: admitBuiltinTools(tools, configured, agent.builtinTools),
    changes,
    approver,
    asking,
    gate: createGate({
      mode: () => settings.current.mode,
      approval: agent.approval,
      grants: agent.grants,
      approver,
      logger,
    }),
    disabledServers: new Set(),
    resources: createSessionResources(() => resourceServersOf(agent, state.servers, state.disabledServers), memory, agent.membranes.calls),
    results: createSessionResults(summary.id, agent.history.keptResults, agent.membranes.openStored),
    loginOffers: undefined,
    addedTools: new Set(),
    asked: runner.hostOf('agent'),
    elicit: runner.hostOf('session').elicit,
    tell,
    note: undefined,
  }
  return state
}

function openSessionServers(
  { openClient, configured, logger, sessionPolicy }: AgentSide,
  host: McpHost,
  configs: readonly McpServerConfig[],
): SessionState['servers'] {
  const servers: SessionState['servers'] = openServerSet({
    open: (config) => openClient(config, host),
    configured,
    logger,
    // A strict agent file admits the tools that it names. The editor's servers usually have others.
    onViolation({ sentences }) {
      for (const sentence of sentences) logger.warn(sentence)
    },
  })
  for (const config of configs) servers.add(config, sessionPolicy)
  return servers
}

function keep(state: SessionState, message: Message): void {
  const tools = toolsOf(state).map(({ tool }) => tool)
  state.log.message(state.agent.membranes.message(message, tools))
}

function toSummary(agent: string, { id = createSessionId(), cwd, additionalDirectories = [], stored }: OpenSessionOptions): SessionSummary {
  // The additional directories belong to the directory that the session began in, and are not stored with another one.
  if (stored !== undefined) return stored.summary.cwd === cwd ? { ...stored.summary, additionalDirectories } : stored.summary
  const now = new Date().toISOString()
  return {
    id,
    agent,
    cwd,
    additionalDirectories,
    title: null,
    model: null,
    mode: null,
    thoughtLevel: null,
    turns: 0,
    createdAt: now,
    updatedAt: now,
  }
}
