import { OstlerError } from '../base/errors.ts'
import { transcribe } from '../history/transcript.ts'
import { createWarnOnce } from '../base/warn-once.ts'
import type { SessionSummary } from '../history/session-entry.ts'
import { createSessionId, type SessionId } from '../base/ids.ts'
import type { McpHost } from '../mcp/mcp-client.ts'
import type { ContentBlock } from '../messages/content.ts'
import { createConversation } from '../messages/conversation.ts'
import type { Message } from '../messages/message.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { ApprovalMode } from '../policy/approval.ts'
import { createCallLimits } from '../policy/call-limits.ts'
import { createGate } from '../policy/gate.ts'
import { configOfLocalTool } from '../policy/registration.ts'
import { createToolAccess } from '../policy/tool-access.ts'
import type { Turn } from '../turn/turn.ts'
import { answerPrompt, countsAsUnsent, preloadTurn } from './answer-prompt.ts'
import type { ChatSession, SessionChange, SessionOptions, SlashCommand } from './chat-session.ts'
import { listCommands } from './commands.ts'
import { createEventChannel } from './event-channel.ts'
import { passwordsIn, strikeCalls } from '../redaction/strike-arguments.ts'
import { createEventRedactor } from './redact-events.ts'
import { openServerGroup } from './server-group.ts'
import { toServerOrigin } from './server-origin.ts'
import { toTitle } from './session-title.ts'
import { toLiveServer } from './to-live-server.ts'
import { nameWarnings, promptsOf, reportOf, toolsOf, type AgentSide, type SessionState } from './session-state.ts'

/** Whoever opens a session gets it before anything else is done. */
const preloadAfterMs = 25

/** A session that is kept, and what its model was told. */
export interface StoredSession {
  readonly summary: SessionSummary
  readonly messages: readonly Message[]
}

/** Opens at once: its servers connect while the caller goes on. */
export function openSession(
  agent: AgentSide,
  options: SessionOptions & { readonly model: string; readonly mode: ApprovalMode; readonly stored?: StoredSession },
  onClosed: () => void,
): ChatSession {
  const { cwd, additionalDirectories = [], rejectedServers = [], sessionMcpServers = [], tools = [] } = options
  const stored = options.stored?.summary
  const id = stored?.id ?? options.id ?? createSessionId()
  const summary = stored ?? newSession(agent.name, id, cwd, additionalDirectories)
  const log = agent.history.sessionLog(summary, { isStored: stored !== undefined })
  const listeners = new Set<(what: SessionChange) => void>()
  let running:
    | { readonly controller: AbortController; readonly signal: AbortSignal; readonly ended: Promise<void>; turn?: Turn }
    | undefined
  let closed: Promise<void> | undefined
  let commands: readonly SlashCommand[] = []
  let title = summary.title ?? undefined
  let { updatedAt } = summary

  const host: McpHost = { cwd, roots: [cwd, ...additionalDirectories], ...hostPorts() }
  const state: SessionState = {
    agent,
    cwd,
    additionalDirectories,
    id,
    log,
    conversation: createConversation(options.stored?.messages ?? [], keep),
    servers: openServerGroup((config) => agent.openClient(config, host), sessionMcpServers),
    access: createToolAccess({
      policyOf: () => agent.sessionPolicy,
      configured: agent.configured,
      originOf: (client) => toServerOrigin(client.config, agent.redactor),
      logger: agent.logger,
      onViolation: (messages) => rejectTools(messages),
    }),
    limits: createCallLimits(agent.callSlots),
    rejectedServers,
    tools: tools.map((tool) => ({ tool, config: configOfLocalTool(tool, agent.configured), home: { type: 'local' } })),
    gate: createGate({
      mode: options.mode,
      trustedTools: agent.trustedTools,
      grants: agent.grants,
      approver: options.approver,
      logger: agent.logger,
    }),
    addedTools: new Set(),
    note: undefined,
    model: options.model,
    reported: undefined,
  }
  if (stored !== undefined) log.mergeCutOffTurns()
  // The other directories belong to the one it began in; elsewhere they say nothing about it.
  if (stored?.cwd === cwd) log.set({ additionalDirectories })
  const warnOfNames = createWarnOnce(agent.logger)
  tellNames()
  commands = listCommands(promptsOf(state), state.model)

  async function* prompt(...[content, { signal } = {}]: Parameters<ChatSession['prompt']>): AsyncGenerator<TurnEvent, void, undefined> {
    if (closed !== undefined) throw new OstlerError('session.closed', 'The session is closed.')
    if (running !== undefined)
      throw new OstlerError('session.busy', 'A prompt is already being answered in this session. Wait for it, or cancel it.')
    const controller = new AbortController()
    const stop = signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal])
    const channel = createEventChannel<TurnEvent>()
    const redact = createEventRedactor(agent.redactor, agent.remoteImages)
    const ports = {
      async emit(event: TurnEvent) {
        // At once, all of them: what comes next must not get in between.
        const taken = redact(event).map((shown) => {
          // Before anyone sees it: what was shown can be shown again, whenever this process is killed.
          log.event(shown)
          return channel.push(shown)
        })
        await Promise.all(taken)
      },
      onTurn: (turn: Turn) => {
        if (running !== undefined) running.turn = turn
      },
    }
    const titleBefore = title
    log.beginTurn(content)
    updatedAt = new Date().toISOString()
    nameAfter(content)
    const ended = answerPrompt(state, content, ports, stop).then(
      () => channel.end(),
      (error: unknown) => {
        if (countsAsUnsent(error)) {
          log.forgetTurn()
          title = titleBefore
        }
        channel.end(error)
      },
    )
    running = { controller, signal: stop, ended }
    try {
      yield* channel
    } finally {
      controller.abort()
      await ended
      running = undefined
    }
  }

  function keep(message: Message): void {
    const passwords = new Set(toolsOf(state).flatMap(({ tool }) => [...passwordsIn(tool.inputSchema)]))
    log.message(strikeCalls(message, passwords))
  }

  /** A session is called by what was first said in it. */
  function nameAfter(content: readonly ContentBlock[]): void {
    if (title !== undefined) return
    title = agent.redactor.redact(toTitle(content))
    log.set({ title })
    notify('title')
  }

  /** A strict agent file lets in what it names; the editor's servers may well have more. */
  function rejectTools(messages: readonly string[]): void {
    for (const message of messages) agent.logger.warn(message.split('\n')[0] ?? message)
  }

  /** A server may ask the person or the model only while a prompt is answered: that is when someone is looking, and what a cancel ends. */
  function hostPorts(): Pick<McpHost, 'elicit' | 'sample'> {
    const { elicit } = options
    const during = (signal: AbortSignal) => (running === undefined ? undefined : AbortSignal.any([signal, running.signal]))
    return {
      async sample(request, signal) {
        const stop = during(signal)
        if (stop === undefined || running?.turn === undefined) throw new OstlerError('mcp.no_turn', 'No prompt is being answered.')
        const { sampleModel } = await import('./sample.ts')
        return sampleModel(running.turn, request, stop)
      },
      ...(elicit && {
        async elicit(request, signal) {
          const stop = during(signal)
          return stop === undefined ? { action: 'cancel' } : elicit(request, stop)
        },
      }),
    }
  }

  /** Names that the servers of this session share; of those that only the agent's share, the agent tells. */
  function tellNames(): void {
    for (const { servers, message } of nameWarnings(state)) {
      if (servers.some((name) => state.servers.clients.has(name))) warnOfNames(message)
    }
  }

  function notify(what: SessionChange): void {
    if (closed === undefined) for (const listener of listeners) listener(what)
  }

  function onServersChange(): void {
    for (const client of state.servers.clients.values()) state.access.refresh(client)
    tellNames()
    notify('servers')
    refreshCommands()
  }

  function refreshCommands(): void {
    const before = JSON.stringify(commands)
    commands = listCommands(promptsOf(state), state.model)
    if (JSON.stringify(commands) !== before) notify('commands')
  }

  async function close(): Promise<void> {
    clearTimeout(preload)
    running?.controller.abort()
    for (const stop of stopWatching) stop()
    liveServers[Symbol.dispose]()
    listeners.clear()
    await Promise.all([running?.ended, state.servers[Symbol.asyncDispose]()])
    onClosed()
  }

  // What the first prompt needs takes a while to load: the while that a person takes to write it. Where it fails, the prompt says why.
  const preload = setTimeout(() => void preloadTurn(state).catch(() => undefined), preloadAfterMs).unref()
  const liveServers = agent.history.noteLiveServers({
    agent: agent.name,
    sessionId: id,
    look: () => [...state.servers.clients.values()].map((client) => toLiveServer(client, agent.redactor)),
  })
  const stopWatching = [
    ...[state.servers, agent.servers].map((servers) => servers.onChange(onServersChange)),
    state.servers.onChange(() => liveServers.changed()),
  ]
  liveServers.changed()
  const serversSettled = Promise.all([state.servers.settled(), agent.servers.settled()]).then(() => undefined)

  return {
    id,
    cwd,
    additionalDirectories,
    get model() {
      return state.model
    },
    get mode() {
      return state.gate.mode
    },
    get title() {
      return title
    },
    get updatedAt() {
      return updatedAt
    },
    get commands() {
      return commands
    },
    prompt,
    cancel: () => running?.controller.abort(),
    addSessionMcpServer(config) {
      state.servers.add(config)
    },
    async removeSessionMcpServer(name) {
      await state.servers.remove(name)
      state.access.forget(name)
    },
    getSessionMcpClients: () => state.servers.clients,
    serverReport: () => reportOf(state),
    note(text) {
      if (text === state.note) return
      state.note = text
      notify('notes')
    },
    serversSettled,
    async setModel(id) {
      if (id === state.model) return
      await agent.openModel(id)
      state.model = id
      log.set({ model: id })
      notify('model')
      refreshCommands()
    },
    setMode(mode) {
      if (mode === state.gate.mode) return
      state.gate.mode = mode
      log.set({ mode })
      notify('mode')
    },
    transcript: () => transcribe(agent.history.entryPages(id), agent.redactor),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    [Symbol.asyncDispose]() {
      closed ??= close()
      return closed
    },
  }
}

function newSession(agent: string, id: SessionId, cwd: string, additionalDirectories: readonly string[]): SessionSummary {
  const now = new Date().toISOString()
  return { id, agent, cwd, additionalDirectories, title: null, model: null, mode: null, turns: 0, createdAt: now, updatedAt: now }
}
