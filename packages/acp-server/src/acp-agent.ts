import {
  agent as createAgentApp,
  methods,
  RequestError,
  type AgentConnection,
  type AgentRequestContext,
  type JsonRpcId,
  type LoadSessionResponse,
  type Stream,
} from '@agentclientprotocol/sdk'
import { type Agent, isRecord, type Logger, messageOf, OstlerError } from '@ostler/agent-api'
import { openAcpSession, type AcpSession } from './acp-session.ts'
import { authMethods } from './capabilities.ts'
import { checkDirectories } from './check-directory.ts'
import type { EditorCapabilities } from './from-acp-client-capabilities.ts'
import { fromAcpNewSession, fromAcpStoredSession, type NewSession } from './from-acp-new-session.ts'
import { fromAcpPrompt } from './from-acp-prompt.ts'
import { readFields, readText } from './read-params.ts'
import { invalidParams } from './invalid-params.ts'
import { fromAcpListSessions, listSessions } from './list-sessions.ts'
import { replay } from './replay.ts'
import { runPrompt } from './run-prompt.ts'
import { createSessionRegistry, unknownSession, type ReopenSteps, type SessionRegistry } from './session-registry.ts'
import { setConfigOption } from './set-config-option.ts'
import { isApprovalMode } from './to-acp-config-options.ts'
import { isUnexpected, toRequestError } from './to-request-error.ts'
import { errorCodes } from './wire/message.ts'
import type { Wire } from './wire/open-wire.ts'

export interface AcpAgentOptions {
  readonly stream: Stream
  readonly wire: Wire
  readonly capabilities: EditorCapabilities
  readonly agent: Promise<Agent>
  readonly logger: Logger
}

export interface AcpAgent {
  readonly connection: AgentConnection
  readonly sessions: SessionRegistry
}

/** Limit on unknown method names in error messages. */
const methodCharsMax = 100

/** Serves an initialized connection: registers a handler for each method. */
export function connectAcpAgent({ stream, wire, capabilities, agent, logger }: AcpAgentOptions): AcpAgent {
  const sessions = createSessionRegistry()
  let isAuthenticated = true
  let redact = (text: string) => text
  agent.then(
    (opened) => (redact = opened.redact),
    () => undefined,
  )

  /** Converts every error by the table, and logs unexpected ones. */
  function handle<P, R>(handler: (context: AgentRequestContext<P>) => R | Promise<R>) {
    return async (context: AgentRequestContext<P>): Promise<R> => {
      try {
        return await handler(context)
      } catch (error) {
        // The stack is needed to analyze the error. Fields are redacted together with the line.
        if (isUnexpected(error))
          logger.error(`${context.method} failed`, { error: error instanceof Error ? error.stack : messageOf(error) })
        else logger.debug(`${context.method} was refused`, { error: messageOf(error) })
        throw toRequestError(error, redact)
      }
    }
  }

  function requireAuthentication(): void {
    if (!isAuthenticated) throw new OstlerError('acp.auth_required', 'Authentication required: authenticate first')
  }

  function onAnswered(requestId: JsonRpcId | undefined, listener: () => void): void {
    if (requestId !== undefined && requestId !== null) wire.onAnswered(requestId, listener)
  }

  /** After these responses, some editors treat further updates as part of the finished turn or replay. */
  function keepQuietAfter(requestId: JsonRpcId | undefined, { quiet }: AcpSession): void {
    quiet.begin()
    onAnswered(requestId, () => quiet.extend())
  }

  /** Continues a stored session. `load` and `resume` differ only in `show`. */
  function reopen(show: (session: AcpSession, signal: AbortSignal) => Promise<void>) {
    return async ({ params, client, signal, requestId }: AgentRequestContext<unknown>): Promise<LoadSessionResponse> => {
      requireAuthentication()
      const request = fromAcpStoredSession(params)
      const { sessionId } = request
      // Not preceded by any `await`, so that later requests for this session stay behind this one.
      const steps: ReopenSteps = {
        async prepare() {
          await checkDirectories(request)
          const opened = await agent
          await opened.kept()
          if (opened.findSession(sessionId) === undefined) throw unknownSession(sessionId)
          logEntries(request, logger)
          return () => openAcpSession({ agent: opened, editor: client, capabilities, request, storedId: sessionId, logger })
        },
        async fill(session, stop) {
          await show(session, stop)
          await session.introduce()
        },
      }
      try {
        const session = await sessions.reopen(sessionId, steps, signal)
        keepQuietAfter(requestId, session)
        return session.toResponse()
      } catch (error) {
        if (signal.aborted) throw new OstlerError('acp.request_cancelled', 'The request was cancelled', { cause: error })
        throw error
      }
    }
  }

  const connection = createAgentApp({ name: 'ostler' })
    .onRequest(
      methods.agent.initialize,
      asItCame,
      handle(() => {
        throw new OstlerError('acp.invalid_request', 'Invalid request: the connection is initialized already')
      }),
    )
    .onRequest(
      methods.agent.authenticate,
      asItCame,
      handle(({ params }) => {
        const methodId = readText(readFields(params), 'methodId')
        if (!authMethods.some(({ id }) => id === methodId)) throw invalidParams('methodId', 'is not one of the offered methods')
        isAuthenticated = true
        return {}
      }),
    )
    .onRequest(
      methods.agent.logout,
      asItCame,
      handle(() => {
        isAuthenticated = false
        return {}
      }),
    )
    .onRequest(
      methods.agent.session.new,
      asItCame,
      handle(async ({ params, client, requestId }) => {
        requireAuthentication()
        const request = fromAcpNewSession(params)
        await checkDirectories(request)
        logEntries(request, logger)
        const session = await openAcpSession({ agent: await agent, editor: client, capabilities, request, logger })
        sessions.add(session)
        onAnswered(requestId, () => session.markAnswered())
        return { sessionId: session.id, ...session.toResponse() }
      }),
    )
    .onRequest(methods.agent.session.load, asItCame, handle(reopen(replay)))
    .onRequest(methods.agent.session.resume, asItCame, handle(reopen(() => Promise.resolve())))
    .onRequest(
      methods.agent.session.list,
      asItCame,
      handle(async ({ params }) => {
        requireAuthentication()
        const wanted = fromAcpListSessions(params)
        const opened = await agent
        await opened.kept()
        return listSessions(opened, wanted)
      }),
    )
    .onRequest(
      methods.agent.session.prompt,
      asItCame,
      handle(async ({ params, signal, requestId }) => {
        requireAuthentication()
        const { sessionId, content } = fromAcpPrompt(params)
        const session = sessions.get(sessionId)
        const answer = await runPrompt(session, content, signal)
        if (answer.stopReason === 'cancelled') keepQuietAfter(requestId, session)
        return answer
      }),
    )
    .onRequest(
      methods.agent.session.setMode,
      asItCame,
      handle(({ params }) => {
        const fields = readFields(params)
        const sessionId = readText(fields, 'sessionId')
        const modeId = readText(fields, 'modeId')
        const session = sessions.get(sessionId)
        if (!isApprovalMode(modeId)) throw invalidParams('modeId', 'is not one of the modes')
        session.view.learnMode(modeId)
        session.chat.setMode(modeId)
        return {}
      }),
    )
    .onRequest(
      methods.agent.session.setConfigOption,
      asItCame,
      handle(async ({ params }) => {
        const fields = readFields(params)
        const sessionId = readText(fields, 'sessionId')
        const configId = readText(fields, 'configId')
        const session = sessions.get(sessionId)
        await setConfigOption(session, configId, fields['value'])
        return { configOptions: session.view.configOptions }
      }),
    )
    .onRequest(
      methods.agent.session.close,
      asItCame,
      handle(async ({ params }) => {
        const sessionId = readText(readFields(params), 'sessionId')
        if (!(await sessions.end(sessionId))) sessions.get(sessionId)
        return {}
      }),
    )
    .onRequest(
      methods.agent.session.delete,
      asItCame,
      handle(async ({ params }) => {
        const sessionId = readText(readFields(params), 'sessionId')
        await sessions.end(sessionId, async () => {
          const opened = await agent
          await opened.kept()
          await opened.deleteSession(sessionId)
        })
        return {}
      }),
    )
    .onRequest('*', ({ method }) => {
      throw new RequestError(errorCodes.methodNotFound, `Method not found: ${method.slice(0, methodCharsMax)}`)
    })
    // Not parsed: the SDK reports malformed notifications on the console, and nobody waits for a response.
    .onNotification(methods.agent.session.cancel, asItCame, ({ params }) => {
      const sessionId = isRecord(params) ? params['sessionId'] : undefined
      if (typeof sessionId === 'string') sessions.find(sessionId)?.chat.cancel()
    })
    .connect(stream)
  return { connection, sessions }
}

/** The editor is told about rejected entries. Corrected entries are of interest only in the log. */
function logEntries({ rejected, repaired }: NewSession, logger: Logger): void {
  for (const { server, reason } of rejected) logger.warn(`MCP server "${server}" cannot be used: ${reason}`)
  for (const { server, repair } of repaired) logger.info(`MCP server "${server}": ${repair}`)
}

/** Replaces the SDK's parsers, whose error messages may contain what the editor sent. */
function asItCame(params: unknown): unknown {
  return params
}
