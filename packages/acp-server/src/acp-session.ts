import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { AgentContext, LoadSessionResponse, SessionUpdate } from '@agentclientprotocol/sdk'
import type { Agent, ChatSession, Logger, ServerReport, SessionOptions } from '@ostler/agent-api'
import type { SessionId } from '@ostler/agent-api/internal'
import { messageOf, type OfferLogin } from '@ostler/agent-api/internal'
import { createAcpApprover } from './acp-approver.ts'
import { createAcpClient, type AcpClient } from './editor/acp-client.ts'
import { createAcpElicit } from './editor/acp-elicit.ts'
import { askPersonTool } from './editor/ask-person.ts'
import { createEditorView, type EditorView } from './editor-view.ts'
import { createEditorWorkspace } from './editor/editor-workspace.ts'
import type { EditorServers } from './editor/editor-servers.ts'
import { elicitModesOf, type EditorCapabilities } from './editor/from-acp-client-capabilities.ts'
import type { NewSession } from './from-acp-new-session.ts'
import { fromElicitationResponse } from './editor/from-elicitation-response.ts'
import { createLatch } from './latch.ts'
import { createQuietPeriod, type QuietPeriod } from './quiet-period.ts'
import { createSessionNotices } from './session-notices.ts'
import { toAcpModes } from './to-acp-config-options.ts'
import { toStartFailureNotice } from './to-acp-notice.ts'

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
  const id = storedId ?? randomUUID()
  const client = createAcpClient(editor, id)
  const known = createLatch()
  const ended = new AbortController()
  const quiet = createQuietPeriod(options.quietMs)
  const canBeAsked = async () => {
    await known.opened
    await quiet.over()
  }
  const sessionOptions = sessionOptionsOf(options, client, id, canBeAsked)
  const chat = storedId === undefined ? agent.createSession({ ...sessionOptions, id }) : await agent.reopenSession(storedId, sessionOptions)
  const send = async (update: SessionUpdate) => {
    if (!ended.signal.aborted) await client.update(update)
  }
  const notices = createSessionNotices({ chat, isShown: capabilities.notices, send, quiet, ended: ended.signal, logger })
  const view = createEditorView({ chat, models: agent.models, thoughtLevelsOf: agent.thoughtLevels, send })
  const stopListening = chat.onChange((what) => {
    if (!known.isOpen) return
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
    quiet,
    toResponse: () => ({ modes: toAcpModes(chat.mode), configOptions: view.configOptions }),
    markAnswered() {
      if (!ended.signal.aborted) knownTimer = setTimeout(() => session.markKnown(), knownAfterMs)
    },
    markKnown() {
      if (known.isOpen) return
      known.open()
      view.sync()
      void notices.sendWhenSettled()
    },
    async introduce() {
      known.open()
      view.sync()
      await view.synced()
    },
    failureTold: () => failureTold,
    notice: notices.send,
    async [Symbol.asyncDispose]() {
      ended.abort()
      quiet.end()
      clearTimeout(knownTimer)
      stopListening()
      known.open()
      chat.cancel()
      await chat[Symbol.asyncDispose]()
    },
  }
  return session

  /** Waits until the editor knows the session: most failures come earlier, and the agent ends right after them. */
  async function tellFailure(reason: string): Promise<void> {
    const patience = delay(failurePatienceMs, undefined, { signal: ended.signal }).catch(() => undefined)
    await Promise.race([known.opened, patience])
    if (known.isOpen) await send(toStartFailureNotice(reason))
  }
}

/** The request for the session, with everything that the editor can do for it. */
function sessionOptionsOf(
  { editor, capabilities, editorServers, request }: AcpSessionOptions,
  client: AcpClient,
  sessionId: SessionId,
  canBeAsked: () => Promise<void>,
): SessionOptions {
  const { elicitForm, elicitUrl } = capabilities
  /** The pages that the editor was asked to open and that are not finished. */
  const pages = new Set<string>()
  return {
    cwd: request.cwd,
    additionalDirectories: request.additionalDirectories,
    sessionMcpServers: request.servers,
    relay: editorServers?.relayOf(editor),
    rejectedServers: request.rejected,
    workspace: createEditorWorkspace(client, capabilities),
    tools: { mode: 'open', tools: elicitForm ? [askPersonTool({ client, sessionId, capabilities })] : [] },
    approver: createAcpApprover(client, canBeAsked),
    elicit: createAcpElicit({ client, sessionId, capabilities, onPage: (elicitationId) => pages.add(elicitationId) }),
    elicitModes: elicitModesOf(capabilities),
    onElicited(elicitationId) {
      if (pages.delete(elicitationId)) void client.elicited(elicitationId).catch(() => undefined)
    },
    ...(elicitUrl && { offerLogin: createOfferLogin(client, sessionId, canBeAsked) }),
  }
}

/** Asks in a dialog of the editor, once the editor knows the session. The question belongs to no prompt. */
function createOfferLogin(client: AcpClient, sessionId: SessionId, canBeAsked: () => Promise<void>): OfferLogin {
  return async ({ server, url, scope }, signal) => {
    await canBeAsked()
    const message =
      scope === undefined
        ? `Log in to the MCP server ${JSON.stringify(server)} with your browser. Its tools can be used afterwards.`
        : `A call needs more permissions of the MCP server ${JSON.stringify(server)}. Log in with your browser to grant: ${scope}`
    const elicitationId = randomUUID()
    const answer = fromElicitationResponse(await client.elicit({ mode: 'url', sessionId, message, url, elicitationId }, signal))
    // The login ends with the signal.
    if (answer.action === 'accept')
      signal.addEventListener('abort', () => void client.elicited(elicitationId).catch(() => undefined), { once: true })
    return answer
  }
}
