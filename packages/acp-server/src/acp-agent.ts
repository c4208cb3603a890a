import {
  agent as createAgentApp,
  methods,
  RequestError,
  type AgentConnection,
  type AgentRequestContext,
  type Stream,
} from '@agentclientprotocol/sdk'
import { isRecord, messageOf } from '@ostler/agent-api/internal'
import { acpMethods, type AcpConnection } from './acp-methods.ts'
import { createEditorServers, mcpMessage } from './editor/editor-servers.ts'
import { createSessionRegistry, type SessionRegistry } from './session-registry.ts'
import type { Editor, Experiments } from './shake-hands.ts'
import { isUnexpected, toRequestError } from './to-request-error.ts'
import { errorCodes } from './wire/message.ts'

export interface AcpAgentOptions
  extends Pick<AcpConnection, 'agent' | 'wire' | 'quietMs' | 'logger'>, Experiments {
  readonly stream: Stream
  readonly editor: Editor
}

export interface AcpAgent {
  readonly connection: AgentConnection
  readonly sessions: SessionRegistry
}

const methodCharsMax = 100

/** Serves an initialized connection. */
export function connectAcpAgent({
  stream,
  wire,
  editor,
  agent,
  quietMs,
  logger,
  mcpOverAcp,
}: AcpAgentOptions): AcpAgent {
  const sessions = createSessionRegistry()
  const editorServers = mcpOverAcp ? createEditorServers(editor.name) : undefined
  const { capabilities } = editor
  const connection: AcpConnection = {
    agent,
    sessions,
    wire,
    capabilities,
    editorServers,
    quietMs,
    logger,
    isAuthenticated: true,
  }
  let redact = (text: string) => text
  agent.then(
    (opened) => (redact = opened.redact),
    () => undefined,
  )

  /** Converts every error by the table, and logs unexpected ones. */
  async function run(method: string, context: AgentRequestContext<unknown>): Promise<unknown> {
    try {
      return await acpMethods[method]?.(connection, context)
    } catch (error) {
      // The stack is needed to analyze the error. Fields are redacted together with the line.
      if (isUnexpected(error))
        logger.error(`${method} failed`, { error: error instanceof Error ? error.stack : messageOf(error) })
      else logger.debug(`${method} was refused`, { error: messageOf(error) })
      throw toRequestError(error, redact)
    }
  }

  const app = createAgentApp({ name: 'ostler' })
  for (const method of Object.keys(acpMethods))
    app.onRequest(method, asItCame, (context) => run(method, context))
  app.onRequest('*', ({ method }) => {
    throw new RequestError(errorCodes.methodNotFound, `Method not found: ${method.slice(0, methodCharsMax)}`)
  })
  // Not parsed: the SDK reports malformed notifications on the console, and no response is expected.
  app.onNotification(methods.agent.session.cancel, asItCame, ({ params }) => {
    const sessionId = isRecord(params) ? params['sessionId'] : undefined
    if (typeof sessionId === 'string') sessions.find(sessionId)?.chat.cancel()
  })
  if (editorServers !== undefined)
    app.onNotification(mcpMessage, asItCame, ({ params }) => editorServers.notified(params))
  return { connection: app.connect(stream), sessions }
}

/** Replaces the SDK's parsers, whose error messages may contain what the editor sent. */
function asItCame(params: unknown): unknown {
  return params
}
