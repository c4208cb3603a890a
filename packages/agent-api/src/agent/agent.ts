import { messageOf, OstlerError } from '../base/errors.ts'
import type { SessionId } from '../base/ids.ts'
import { silentLogger } from '../base/logger.ts'
import type { FenceMaker } from '../fence/probe-fence.ts'
import { secretsOf } from '../mcp/secrets-of.ts'
import { loosening, type Approval } from '../policy/approval.ts'
import { approvalModes, modeNames, type ApprovalMode } from '../policy/approval-mode.ts'
import { toolsIn } from '../policy/local-tools.ts'
import { mayExist } from '../processes/resolve-command.ts'
import type { ModelChoice } from '../provider/model.ts'
import { isThoughtChoice, type ThoughtLevel } from '../provider/thought-level.ts'
import { createRedactor } from '../redaction/redact.ts'
import type { AddedServers } from '../servers/agent-servers.ts'
import type { ChatSession, SessionOptions } from '../session/chat-session.ts'
import { isOwnCommand } from '../session/commands.ts'
import { openSession } from '../session/open-session.ts'
import type { StoredSession } from '../session/session-record.ts'
import { withEntry, type RestoredFacts } from '../state/sessions/restore-conversation.ts'
import type { SessionQuery, SessionSummary } from '../state/sessions/session-entry.ts'
import type { AgentConfig } from './agent-config.ts'
import { createSharedParts } from './shared-parts.ts'

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
  /** True if it has local tools, whose modules run in this process and may occupy its main thread at any time. */
  readonly hasLocalTools: boolean
  createSession(options: SessionOptions): ChatSession
  /** Continues a stored session with the given servers. Rejects with `session.unknown`. */
  reopenSession(id: SessionId, options: Omit<SessionOptions, 'id'>): Promise<ChatSession>
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
  /** The mode of new sessions. */
  readonly mode: ApprovalMode
  /** The modes that a session can have on this machine, as far as that is known: `fenced` only once a sandbox has worked. */
  modes(): readonly ApprovalMode[]
  /**
   * Tries once whether a sandbox works. Await it before a session is created in the mode `fenced`: it then says if it cannot be used. `needed` is
   * the mode of the agent, unless a session gets another one.
   */
  findModes(needed?: ApprovalMode): Promise<readonly ApprovalMode[]>
  /** The levels of thinking of a model, from least to most. Empty if there is no choice. */
  thoughtLevels(model: string): readonly ThoughtLevel[]
  /**
   * Applies to new sessions. An open session keeps its settings, and says so if the new ones would ask less.
   */
  setApproval(approval: Approval): void
  /** Removes the secrets that the agent knows. For text that did not come from a session. */
  redact(text: string): string
}

/** Starts the agent's own servers and returns at once. Sessions and servers end with `[Symbol.asyncDispose]()`. */
export function createAgent(config: AgentConfig = {}): Agent {
  const { mode: firstMode = 'always-ask', trustedTools = [], reads = 'allow' } = config
  const { logger = silentLogger, redactor = createRedactor() } = config
  let approval: Approval = { mode: firstMode, trustedTools, reads }
  const { shared, own, catalog } = createSharedParts({ ...config, logger, redactor }, approval)
  const { name, state, models } = shared
  const sessions = new Map<ChatSession, Approval>()
  let failure: OstlerError | undefined
  let maker: FenceMaker | undefined
  let isClosed = false
  own.checked.catch((error: OstlerError) => (failure = error))

  /** The clients of the servers add theirs later than what a session reads or shows first. */
  function learnSecrets({ sessionMcpServers: servers = [] }: Omit<SessionOptions, 'id'>): void {
    for (const secret of servers.flatMap(secretsOf)) redactor.add(secret)
  }

  function modes(): readonly ApprovalMode[] {
    return approvalModes.filter(
      (mode) => mode !== 'fenced' || (maker !== undefined && maker.by !== 'nothing'),
    )
  }

  /** Loads nothing where no program for sandboxes is installed, unless a mode needs the reason. */
  async function findModes(needed = approval.mode): Promise<readonly ApprovalMode[]> {
    const path = shared.project.env['PATH'] ?? ''
    const mayWork = process.platform === 'darwin' || mayExist('bwrap', '/', path)
    if (maker === undefined && (mayWork || needed === 'fenced')) {
      const { probeFence } = await import('../fence/probe-fence.ts')
      maker = await probeFence()
    }
    return modes()
  }

  function open(options: SessionOptions & { readonly stored?: StoredSession }): ChatSession {
    // A session may still be loading from the history when the agent closes.
    if (isClosed) throw new OstlerError('session.closed', 'The agent is closed.')
    const stored = options.stored?.summary
    for (const client of own.set.clients.values()) client.wake()
    const model = models.choose(options.model, stored?.model)
    const wanted = options.mode ?? stored?.mode ?? approval.mode
    const mode = wanted === 'fenced' && maker?.by === 'nothing' ? 'always-ask' : wanted
    const storedLevel = isThoughtChoice(stored?.thoughtLevel) ? stored.thoughtLevel : undefined
    const thoughtLevel = options.thoughtLevel ?? storedLevel ?? config.thoughtLevel ?? 'default'
    const parts = { ...shared, person: { ...shared.person, approval } }
    const session = openSession(parts, { ...options, model, mode, thoughtLevel }, () => {
      sessions.delete(session)
      state.sessions.release(session.id)
    })
    if (mode !== wanted && maker?.by === 'nothing')
      session.note(
        `The mode “${modeNames.fenced}” cannot be used, because ${maker.why}. This session asks before each call.`,
      )
    sessions.set(session, approval)
    catalog.refresh(model)
    return session
  }

  function findSession(id: SessionId): SessionSummary | undefined {
    const stored = state.sessions.find(id)
    return stored?.agent === name ? stored : undefined
  }

  return {
    addedServers: own.added,
    started: own.started,
    hasLocalTools: toolsIn(config.tools ?? []).length > 0,
    createSession(options) {
      if (failure !== undefined) throw failure
      learnSecrets(options)
      return open(options)
    },
    async reopenSession(id, options) {
      learnSecrets(options)
      const summary = findSession(id)
      if (summary === undefined)
        throw new OstlerError('session.unknown', 'There is no such session.', { data: { sessionId: id } })
      let facts: RestoredFacts = {}
      const messages = await state.sessions.conversation(id, {
        onEntry: (entry) => (facts = withEntry(facts, entry)),
        isOwnCommand,
      })
      if (failure !== undefined) throw failure
      if (summary.mode === 'fenced') await findModes('fenced')
      return open({ ...options, id, stored: { summary, messages, facts } })
    },
    findSession,
    listSessions: (query) => state.sessions.list({ ...query, agent: name }),
    deleteSession: async (id) => findSession(id) !== undefined && state.sessions.delete(id),
    kept: () => state.flushed(),
    checkModel: models.check,
    models: models.list,
    get mode() {
      return approval.mode
    },
    modes,
    findModes,
    thoughtLevels: models.thoughtLevels,
    setApproval(value) {
      approval = value
      for (const [session, before] of sessions) {
        const change = loosening(before, value)
        session.note(
          change &&
            `The agent file now lets new sessions run more without asking: ${change}. This session keeps its own settings.`,
        )
      }
    },
    redact: (text) => redactor.redact(text),
    async [Symbol.asyncDispose]() {
      isClosed = true
      catalog[Symbol.dispose]()
      // A session that fails to end must not keep the rest open.
      const ends = await Promise.allSettled(
        [...sessions.keys()].map((session) => session[Symbol.asyncDispose]()),
      )
      shared.tools.live[Symbol.dispose]()
      ends.push(...(await Promise.allSettled([own.set[Symbol.asyncDispose](), config.logins?.settled()])))
      if (config.history === undefined) state[Symbol.dispose]()
      for (const end of ends)
        if (end.status === 'rejected')
          logger.error('failed to close a resource', { error: messageOf(end.reason) })
    },
  }
}
