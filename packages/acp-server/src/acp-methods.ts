import { stat } from 'node:fs'
import { promisify } from 'node:util'
import {
  methods,
  type AgentRequestContext,
  type JsonRpcId,
  type ListSessionsResponse,
  type LoadSessionResponse,
  type NewSessionResponse,
  type PromptResponse,
  type SetSessionConfigOptionResponse,
} from '@agentclientprotocol/sdk'
import { type Agent, type Logger, OstlerError } from '@ostler/agent-api'
import { openAcpSession, type AcpSession } from './acp-session.ts'
import { authMethods } from './capabilities.ts'
import type { EditorServers } from './editor/editor-servers.ts'
import type { EditorCapabilities } from './editor/from-acp-client-capabilities.ts'
import { fromAcpNewSession, fromAcpStoredSession, type NewSession } from './from-acp-new-session.ts'
import { fromAcpPrompt } from './from-acp-prompt.ts'
import { fromAcpListSessions, listSessions } from './list-sessions.ts'
import { invalidParams, readFields, readText } from './read-params.ts'
import { runPrompt } from './run-prompt.ts'
import { unknownSession, type ReopenSteps, type SessionRegistry } from './session-registry.ts'
import { setConfigOption } from './set-config-option.ts'
import type { Wire } from './wire/open-wire.ts'
import { toReplayUpdates } from './to-replay-updates.ts'

/** The state that the methods of one connection share. */
export interface AcpConnection {
  readonly agent: Promise<Agent>
  readonly sessions: SessionRegistry
  readonly wire: Wire
  readonly capabilities: EditorCapabilities
  /** Undefined unless they may be used. */
  readonly editorServers: EditorServers | undefined
  readonly quietMs: number
  readonly logger: Logger
  isAuthenticated: boolean
}

type Request = AgentRequestContext<unknown>
type Method = (connection: AcpConnection, request: Request) => unknown

/** The requests that an editor may send once the connection is initialized. */
export const acpMethods: Readonly<Record<string, Method>> = {
  [methods.agent.initialize]: initializeAgain,
  [methods.agent.authenticate]: authenticate,
  [methods.agent.logout]: logOut,
  [methods.agent.session.new]: newSession,
  /** Sends the whole conversation as updates before it answers. */
  [methods.agent.session.load]: (connection, request) => reopen(connection, request, replay),
  /** Restores the conversation without sending it. */
  [methods.agent.session.resume]: (connection, request) => reopen(connection, request, async () => {}),
  [methods.agent.session.list]: list,
  [methods.agent.session.prompt]: prompt,
  [methods.agent.session.setMode]: setMode,
  [methods.agent.session.setConfigOption]: setOption,
  [methods.agent.session.close]: closeSession,
  [methods.agent.session.delete]: deleteSession,
}

/** A second `initialize` is an error: the handshake has answered the first one. */
function initializeAgain(): never {
  throw new OstlerError('acp.invalid_request', 'Invalid request: the connection is already initialized')
}

function authenticate(connection: AcpConnection, { params }: Request): object {
  const methodId = readText(readFields(params), 'methodId')
  if (!authMethods.some(({ id }) => id === methodId))
    throw invalidParams('methodId', 'is not one of the offered methods')
  connection.isAuthenticated = true
  return {}
}

/** Open sessions stay open. They answer no prompt until the editor authenticates again. */
function logOut(connection: AcpConnection): object {
  connection.isAuthenticated = false
  return {}
}

function requireAuthentication({ isAuthenticated }: AcpConnection): void {
  if (!isAuthenticated)
    throw new OstlerError('acp.auth_required', 'Authentication required: authenticate first')
}

/** Answers before the servers have connected. The editor does not know the session before it has read the answer. */
async function newSession(
  connection: AcpConnection,
  { params, client, requestId }: Request,
): Promise<NewSessionResponse> {
  requireAuthentication(connection)
  const request = fromAcpNewSession(params, connection.editorServers?.editor)
  await checkDirectories(request)
  logEntries(request, connection.logger)
  const session = await openAcpSession({
    ...connection,
    agent: await connection.agent,
    editor: client,
    request,
  })
  connection.sessions.add(session)
  onAnswered(connection, requestId, () => session.markAnswered())
  return { sessionId: session.id, ...session.toResponse() }
}

async function reopen(
  connection: AcpConnection,
  { params, client, signal, requestId }: Request,
  show: (session: AcpSession, signal: AbortSignal) => Promise<void>,
): Promise<LoadSessionResponse> {
  requireAuthentication(connection)
  const { agent, sessions, editorServers, logger } = connection
  const request = fromAcpStoredSession(params, editorServers?.editor)
  const { sessionId } = request
  const steps: ReopenSteps = {
    async check() {
      await checkDirectories(request)
      const opened = await keptAgent(connection)
      if (opened.findSession(sessionId) === undefined) throw unknownSession(sessionId)
      logEntries(request, logger)
    },
    async open() {
      return openAcpSession({
        ...connection,
        agent: await agent,
        editor: client,
        request,
        storedId: sessionId,
      })
    },
    async fill(session, stop) {
      await show(session, stop)
      await session.introduce()
    },
  }
  try {
    // No `await` comes before this, so that later requests for this session stay behind this one.
    const session = await sessions.reopen(sessionId, steps, signal)
    keepQuietAfter(connection, requestId, session)
    return session.toResponse()
  } catch (error) {
    if (signal.aborted)
      throw new OstlerError('acp.request_cancelled', 'The request was cancelled', { cause: error })
    throw error
  }
}

async function list(connection: AcpConnection, { params }: Request): Promise<ListSessionsResponse> {
  requireAuthentication(connection)
  const wanted = fromAcpListSessions(params)
  return listSessions(await keptAgent(connection), wanted)
}

/** Answers once every update of the turn is sent. A cancelled turn is an answer, not an error. */
async function prompt(
  connection: AcpConnection,
  { params, signal, requestId }: Request,
): Promise<PromptResponse> {
  requireAuthentication(connection)
  const { sessionId, content } = fromAcpPrompt(params)
  const session = connection.sessions.get(sessionId)
  const answer = await runPrompt(session, content, signal)
  if (answer.stopReason === 'cancelled') keepQuietAfter(connection, requestId, session)
  return answer
}

async function setMode({ sessions }: AcpConnection, { params }: Request): Promise<object> {
  const fields = readFields(params)
  const sessionId = readText(fields, 'sessionId')
  const modeId = readText(fields, 'modeId')
  const session = sessions.get(sessionId)
  const mode = await session.parseMode('modeId', modeId)
  session.view.learnMode(mode)
  session.chat.setMode(mode)
  return {}
}

/** Answers with all options, because one may change another. */
async function setOption(
  { sessions }: AcpConnection,
  { params }: Request,
): Promise<SetSessionConfigOptionResponse> {
  const fields = readFields(params)
  const sessionId = readText(fields, 'sessionId')
  const configId = readText(fields, 'configId')
  const session = sessions.get(sessionId)
  await setConfigOption(session, configId, fields['value'])
  return { configOptions: session.view.configOptions }
}

/** Cancels the running prompt and frees the session's resources. Closing a session again is not an error. */
async function closeSession({ sessions }: AcpConnection, { params }: Request): Promise<object> {
  const sessionId = readText(readFields(params), 'sessionId')
  if (!(await sessions.end(sessionId))) throw unknownSession(sessionId)
  return {}
}

/** Afterwards the session must not be in the list. A failed deletion is an error; an unknown session is not. */
async function deleteSession(connection: AcpConnection, { params }: Request): Promise<object> {
  const sessionId = readText(readFields(params), 'sessionId')
  await connection.sessions.end(sessionId, async () => {
    const agent = await keptAgent(connection)
    await agent.deleteSession(sessionId)
  })
  return {}
}

/** The agent, once everything so far is stored. */
async function keptAgent({ agent }: AcpConnection): Promise<Agent> {
  const opened = await agent
  await opened.kept()
  return opened
}

function onAnswered({ wire }: AcpConnection, requestId: JsonRpcId | undefined, listener: () => void): void {
  if (requestId !== undefined && requestId !== null) wire.onAnswered(requestId, listener)
}

/** After these responses, some editors treat further updates as part of the finished turn or replay. */
function keepQuietAfter(
  connection: AcpConnection,
  requestId: JsonRpcId | undefined,
  { quiet }: AcpSession,
): void {
  quiet.begin()
  onAnswered(connection, requestId, () => quiet.extend())
}

/** Tells the editor about rejected entries. Corrected entries are only logged. */
function logEntries({ rejected, repaired }: NewSession, logger: Logger): void {
  for (const { server, reason } of rejected)
    logger.warn(`MCP server "${server}" cannot be used: ${reason}`, { server })
  for (const { server, repair } of repaired) logger.info(`MCP server "${server}": ${repair}`)
}

/** Shows a stored session, waiting for each update as in a turn. Throws the signal's reason on abort. */
async function replay({ chat, client, capabilities }: AcpSession, signal: AbortSignal): Promise<void> {
  for await (const entry of chat.transcript()) {
    for (const update of toReplayUpdates(entry, capabilities)) {
      signal.throwIfAborted()
      await client.update(update)
    }
  }
}

/** Checks a session's directories. Otherwise a server started in a missing one would fail with an error about its program. */
async function checkDirectories(session: {
  readonly cwd: string
  readonly additionalDirectories: readonly string[]
}): Promise<void> {
  await checkDirectory(session.cwd, 'cwd')
  for (const [index, directory] of session.additionalDirectories.entries())
    await checkDirectory(directory, `additionalDirectories[${index}]`)
}

const statOf = promisify(stat)

async function checkDirectory(path: string, field: string): Promise<void> {
  const stats = await statOf(path).catch(() => undefined)
  if (stats === undefined) throw invalidParams(field, 'must be an existing directory')
  if (!stats.isDirectory()) throw invalidParams(field, 'must be a directory')
}
