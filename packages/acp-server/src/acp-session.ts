import { setTimeout as delay } from 'node:timers/promises'
import type { AgentContext, LoadSessionResponse, SessionUpdate } from '@agentclientprotocol/sdk'
import type {
  Agent,
  ApprovalMode,
  ChatSession,
  Logger,
  ServerReport,
  SessionOptions,
} from '@ostler/agent-api'
import { type SessionId, createSessionId, messageOf, type EditorWorkspace } from '@ostler/agent-api/internal'
import { createAcpPerson } from './acp-person.ts'
import { createAcpClient, type AcpClient } from './editor/acp-client.ts'
import { askPersonTool } from './editor/ask-person.ts'
import { createEditorView, type EditorView } from './editor-view.ts'
import type { EditorServers } from './editor/editor-servers.ts'
import type { EditorCapabilities } from './editor/from-acp-client-capabilities.ts'
import type { NewSession } from './from-acp-new-session.ts'
import { createQuietPeriod, type QuietPeriod } from './quiet-period.ts'
import { createSessionNotices } from './session-notices.ts'
import { parseMode, toAcpModes } from './to-acp-config-options.ts'
import { toStartFailureNotice } from './to-acp-notice.ts'
import { createEditorCommands } from './editor/editor-commands.ts'

/** Zed needs a moment after the response until it knows the session, and drops earlier updates. */
const knownAfterMs = 100

/** Time for the response to `session/new` to arrive. An editor that does not read it must not delay the end for long. */
const failurePatienceMs = 3 * knownAfterMs

/** A chat session as seen by an editor. Changes are sent once the editor knows the session. */
export interface AcpSession extends AsyncDisposable {
  readonly id: SessionId
  readonly chat: ChatSession
  readonly client: AcpClient
  readonly capabilities: EditorCapabilities
  readonly view: EditorView
  /** Throws an error for the editor. */
  parseMode(field: string, value: unknown): Promise<ApprovalMode>
  /** While it lasts, neither changes nor notices are sent. */
  readonly quiet: QuietPeriod
  /** Current modes and options, for the response to the request that opened the session. */
  toResponse(): LoadSessionResponse
  /** Call when the response to `session/new` has been sent. */
  markAnswered(): void
  /** Call when the editor has used the session's id. */
  markKnown(): void
  /** Sends everything that the response does not contain to an editor that already knows the session. Afterwards, only changes are sent. */
  introduce(): Promise<void>
  /** Settles once the editor has been told why the agent failed, if that is possible. */
  failureTold(): Promise<void>
  /** Sends a notice about the servers, if the editor supports notices and this one is new. */
  notice(report: ServerReport): Promise<void>
}

export interface AcpSessionOptions {
  readonly agent: Agent
  readonly editor: AgentContext
  readonly capabilities: EditorCapabilities
  readonly editorServers?: EditorServers | undefined
  readonly request: NewSession
  /** The stored session to continue. A new session if undefined. */
  readonly storedId?: SessionId
  readonly quietMs: number
  readonly logger: Logger
}

export async function openAcpSession(options: AcpSessionOptions): Promise<AcpSession> {
  const { agent, editor, capabilities, storedId, logger } = options
  const id = storedId ?? createSessionId()
  const client = createAcpClient(editor, id)
  // The session says if it cannot have the mode of the agent file.
  if (agent.mode === 'fenced') await agent.findModes()
  let isKnown = false
  const known = Promise.withResolvers<void>()
  const ended = new AbortController()
  const quiet = createQuietPeriod(options.quietMs)
  const canBeAsked = async () => {
    await known.promise
    await quiet.over()
  }
  const sessionOptions = sessionOptionsOf(options, client, id, canBeAsked)
  const chat =
    storedId === undefined
      ? agent.createSession({ ...sessionOptions, id })
      : await agent.reopenSession(storedId, sessionOptions)
  const send = async (update: SessionUpdate) => {
    if (!ended.signal.aborted) await client.update(update)
  }
  const notices = createSessionNotices({
    chat,
    isShown: capabilities.notices,
    send,
    quiet,
    ended: ended.signal,
    logger,
  })
  const view = createEditorView({
    chat,
    modes: agent.modes,
    models: agent.models,
    thoughtLevelsOf: agent.thoughtLevels,
    send,
  })
  const stopListening = chat.onChange((what) => {
    if (!isKnown) return
    if (what === 'servers') void notices.sendNews()
    else if (what === 'notes') void notices.sendCurrent()
    else if (quiet.isOver) view.sync()
    else void quiet.over().then(() => view.sync())
  })
  let failureTold = Promise.resolve()
  agent.started.catch((error: unknown) => {
    if (capabilities.notices) failureTold = tellFailure(agent.redact(messageOf(error))).catch(() => undefined)
  })
  let knownTimer: NodeJS.Timeout | undefined

  const session: AcpSession = {
    id,
    chat,
    client,
    capabilities,
    view,
    async parseMode(field, value) {
      return parseMode(field, value, value === 'fenced' ? await agent.findModes() : agent.modes())
    },
    quiet,
    toResponse: () => ({ modes: toAcpModes(chat.mode, agent.modes()), configOptions: view.configOptions }),
    markAnswered() {
      if (!ended.signal.aborted) knownTimer = setTimeout(() => session.markKnown(), knownAfterMs)
    },
    markKnown() {
      if (isKnown) return
      learn()
      void notices.sendWhenSettled()
    },
    async introduce() {
      learn()
      await view.synced()
    },
    failureTold: () => failureTold,
    notice: notices.send,
    async [Symbol.asyncDispose]() {
      ended.abort()
      quiet.end()
      clearTimeout(knownTimer)
      stopListening()
      isKnown = true
      known.resolve()
      chat.cancel()
      await chat[Symbol.asyncDispose]()
    },
  }
  return session

  function learn(): void {
    isKnown = true
    known.resolve()
    view.sync()
    void agent.findModes().then(view.sync, () => undefined)
  }

  /** Waits until the editor knows the session: most failures come earlier, and the agent ends right after them. */
  async function tellFailure(reason: string): Promise<void> {
    const patience = delay(failurePatienceMs, undefined, { signal: ended.signal }).catch(() => undefined)
    await Promise.race([known.promise, patience])
    if (isKnown) await send(toStartFailureNotice(reason))
  }
}

/** The request for the session, with everything that the editor can do for it. */
function sessionOptionsOf(
  { editor, capabilities, editorServers, request }: AcpSessionOptions,
  client: AcpClient,
  sessionId: SessionId,
  canBeAsked: () => Promise<void>,
): SessionOptions {
  return {
    cwd: request.cwd,
    additionalDirectories: request.additionalDirectories,
    sessionMcpServers: request.servers,
    relay: editorServers?.relayOf(editor),
    rejectedServers: request.rejected,
    workspace: createEditorWorkspace(client, capabilities),
    tools: { mode: 'open', tools: capabilities.elicitForm ? [askPersonTool] : [] },
    person: createAcpPerson({ client, sessionId, capabilities, canBeAsked }),
  }
}

/** The editor's abilities, which the built-in tools use instead of this machine's. */
function createEditorWorkspace(
  client: AcpClient,
  { readTextFile, writeTextFile, terminal }: EditorCapabilities,
): EditorWorkspace {
  return {
    ...(readTextFile && { readText: (path, signal) => client.readTextFile({ path }, signal) }),
    ...(writeTextFile && {
      writeText: (path, content, signal) => client.writeTextFile({ path, content }, signal),
    }),
    ...(terminal && { commands: createEditorCommands(client) }),
  }
}
