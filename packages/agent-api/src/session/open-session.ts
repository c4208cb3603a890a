import { OstlerError } from '../base/errors.ts'
import { createSessionId } from '../base/ids.ts'
import { createListeners } from '../base/listeners.ts'
import { createWarnOnce } from '../base/logger.ts'
import type { SessionSummary } from '../state/sessions/session-entry.ts'
import { latestEvery } from '../base/throttle.ts'
import { preloadTurn } from './preload-turn.ts'
import type { ChatSession, SessionChange, SessionOptions, SlashCommand } from './chat-session.ts'
import { listCommands } from './commands.ts'
import { createPerson } from './person.ts'
import { createProject } from './project.ts'
import { createPromptRunner } from './prompt-runner.ts'
import { openRecord, withConversation, type StoredSession } from './session-record.ts'
import type { SharedParts, Session } from './session.ts'
import type { SessionChoices } from './settings.ts'
import { openToolbox, enabledClients, iconsOf, nameWarnings, reportOf, toolsOf } from './toolbox.ts'
import { noteLiveServers } from '../servers/note-live-servers.ts'

/** The answer that opens a session goes out first. */
const skillsAfterMs = 25
/** New servers start before this takes processor time from them. */
const preloadAfterMs = 150
const newsEveryMs = 50

interface OpenSessionOptions extends Omit<SessionOptions, keyof SessionChoices>, SessionChoices {
  readonly stored?: StoredSession
}

/** Returns at once: the servers of the session connect in the background. */
export function openSession(
  shared: SharedParts,
  options: OpenSessionOptions,
  onClosed: () => void,
): ChatSession {
  const { cwd, additionalDirectories = [], model, mode, thoughtLevel } = options
  const { name, state, membranes, models, turns, logger } = shared
  const summary = toSummary(name, options)
  const { id } = summary
  const listeners = createListeners<[SessionChange]>('a session', logger)
  /** Undefined until somebody reads them. */
  let commands: readonly SlashCommand[] | undefined
  let note: string | undefined
  let closed: Promise<void> | undefined

  function tell(what: SessionChange): void {
    if (closed !== undefined) return
    listeners.tell(what)
    if (what === 'model' || what === 'servers') refreshCommands()
  }

  function refreshCommands(): void {
    if (commands === undefined) return
    const before = JSON.stringify(commands)
    commands = listCommands(session)
    if (JSON.stringify(commands) !== before) listeners.tell('commands')
  }

  const project = createProject({
    ...shared.project,
    cwd,
    additionalDirectories,
    texts: membranes.texts,
    logger,
  })
  const choices = { additionalDirectories, model, mode, thoughtLevel }
  const opened = openRecord(shared, summary, choices, options.stored, tell)
  const { settings } = opened
  const person = createPerson(shared, options, opened)
  const runner = createPromptRunner(person.ask, options.person)
  const toolbox = openToolbox(shared, options, {
    project,
    record: opened,
    person,
    runner,
    changed() {
      const sizes = toolbox.sizes.current?.sizes
      live.changed(sizes)
      // A server of the session overrides one of the agent.
      const isAgents = (server: string | null) => server === null || !servers.clients.has(server)
      shared.tools.live.changed(sizes && new Map([...sizes].filter(([server]) => isAgents(server))))
      tell('servers')
    },
  })
  const { servers } = toolbox
  const session: Session = {
    project,
    toolbox,
    record: withConversation(opened, () => toolsOf(toolbox)),
    person,
    models,
    turns,
    logger,
    report() {
      const { definitions } = person
      const changed = definitions.warnings(enabledClients(toolbox).values())
      const limit = models.toolLimit(settings.current.model)
      return reportOf(toolbox, limit, [state.warning, note, ...changed], definitions.told)
    },
  }
  const live = noteLiveServers(servers, { agent: name, sessionId: id, cwd }, state.presence)
  const open = [
    toolbox.shared.questions.join(toolbox.asked),
    live,
    watchSurroundings(session, tell, refreshCommands),
    toolbox.resources,
  ]

  async function close(): Promise<void> {
    runner.cancel()
    listeners.clear()
    for (const each of open) each[Symbol.dispose]()
    await Promise.all([
      runner.ended().then(() => toolbox.builtin[Symbol.asyncDispose]()),
      servers[Symbol.asyncDispose](),
    ])
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
      return (commands ??= listCommands(session))
    },
    async *prompt(content, { signal } = {}) {
      if (closed !== undefined) throw new OstlerError('session.closed', 'The session is closed.')
      yield* runner.run(session, content, signal)
    },
    cancel: runner.cancel,
    addSessionMcpServer(config) {
      servers.add(config, toolbox.shared.policy)
    },
    removeSessionMcpServer: (server) => servers.remove(server),
    getSessionMcpClients: () => servers.clients,
    serverReport: session.report,
    iconsOf: (ref) => iconsOf(toolbox, ref),
    note(text) {
      if (text === note) return
      note = text
      tell('notes')
    },
    serversSettled: Promise.all([servers.settled(), toolbox.shared.servers.settled()]).then(() => undefined),
    async setModel(chosen) {
      if (chosen === settings.current.model) return
      await models.open(chosen)
      settings.change({ model: chosen })
    },
    setMode: (chosen) => settings.change({ mode: chosen }),
    setThoughtLevel: (chosen) => settings.change({ thoughtLevel: chosen }),
    transcript: () => state.sessions.transcript(id),
    onChange: listeners.add,
    [Symbol.asyncDispose]() {
      closed ??= close()
      return closed
    },
  }
}

function watchSurroundings(
  session: Session,
  tell: (what: SessionChange) => void,
  onSkills: () => void,
): Disposable {
  const { toolbox, person, models, logger } = session
  const { shared, servers } = toolbox
  const warnOfNames = createWarnOnce(logger)
  const lookAtServers = () => {
    person.loginOffers?.look(enabledClients(toolbox).values())
    person.definitions.look(enabledClients(toolbox).values())
  }

  /** If only the agent's servers share a name, the agent reports it. */
  function warnOfSharedNames(): void {
    for (const { servers: names, message } of nameWarnings(toolbox)) {
      if (names.some((name) => servers.clients.has(name))) warnOfNames(message)
    }
  }

  /** Each report covers all servers, so the changes of many are reported together. */
  const news = latestEvery(newsEveryMs, () => {
    warnOfSharedNames()
    lookAtServers()
    person.startConsent.look(servers.clients.values())
    tell('servers')
  })

  const look = setImmediate(lookAtServers)
  const skills = setTimeout(() => void session.project.loadSkills().then(onSkills), skillsAfterMs).unref()
  // Load the code of a turn while the person writes the first prompt. If that fails, the prompt reports it.
  const preload = setTimeout(() => void preloadTurn(session).catch(() => undefined), preloadAfterMs).unref()
  const stopWatching = [
    ...[servers, shared.servers].map((each) => each.onChange(news.next)),
    news.stop,
    models.onChange(() => tell('models')),
  ]
  return {
    [Symbol.dispose]() {
      clearImmediate(look)
      clearTimeout(skills)
      clearTimeout(preload)
      person.startConsent[Symbol.dispose]()
      person.definitions[Symbol.dispose]()
      for (const stop of stopWatching) stop()
      person.loginOffers?.[Symbol.dispose]()
    },
  }
}

function toSummary(
  agent: string,
  { id = createSessionId(), cwd, additionalDirectories = [], stored }: OpenSessionOptions,
): SessionSummary {
  // The additional directories belong to the directory that the session began in, and are not stored with another one.
  if (stored !== undefined)
    return stored.summary.cwd === cwd ? { ...stored.summary, additionalDirectories } : stored.summary
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
