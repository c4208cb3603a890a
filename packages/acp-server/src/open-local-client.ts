import { setImmediate as updatesHandled } from 'node:timers/promises'
import { PassThrough, Readable, Writable } from 'node:stream'
import {
  client as createClientApp,
  methods,
  ndJsonStream,
  type ClientCapabilities,
  type ContentBlock,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type LoadSessionResponse,
  type McpServer,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionConfigOption,
  type SessionInfo,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { agentInfo, protocolVersion } from './capabilities.ts'
import { startServer, type ServerOptions } from './start-server.ts'

/** Handles the agent's questions and updates. A signal aborts when the answer is no longer needed. */
export interface LocalClientHandlers {
  readonly onUpdate: (update: SessionUpdate) => void
  readonly onPermission: (
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ) => Promise<RequestPermissionResponse>
  readonly onElicitation: (
    request: CreateElicitationRequest,
    signal: AbortSignal,
  ) => Promise<CreateElicitationResponse>
}

interface LocalClientOptions extends Pick<ServerOptions, 'openAgent' | 'logger'>, LocalClientHandlers {
  readonly name: string
  readonly capabilities: ClientCapabilities
}

interface SessionPlace {
  readonly cwd: string
  readonly mcpServers: McpServer[]
}

type OpenedSession = LoadSessionResponse & { readonly sessionId: string }

export type LocalClient = Awaited<ReturnType<typeof openLocalClient>>

/**
 * Connects the client side of ACP with our server over two streams in memory: the same messages as between an editor and `ostler acp`.
 * Disposing it ends the agent with its sessions and servers.
 */
export async function openLocalClient({
  openAgent,
  logger,
  name,
  capabilities,
  ...handlers
}: LocalClientOptions) {
  const [toAgent, fromAgent] = [new PassThrough(), new PassThrough()]
  const server = startServer({ input: toAgent, output: fromAgent, openAgent, logger })
  const { session, initialize } = methods.agent
  const app = createClientApp({ name })
  app.onNotification(methods.client.session.update, ({ params }) => handlers.onUpdate(params.update))
  app.onRequest(methods.client.session.requestPermission, ({ params, signal }) =>
    handlers.onPermission(params, signal),
  )
  app.onRequest(methods.client.elicitation.create, ({ params, signal }) =>
    handlers.onElicitation(params, signal),
  )
  // Opened pages need no further handling.
  app.onNotification(methods.client.elicitation.complete, () => undefined)
  const stream = ndJsonStream(
    Writable.toWeb(toAgent),
    Readable.toWeb(fromAgent) as ReadableStream<Uint8Array>,
  )
  const { agent } = app.connect(stream)
  await agent.request(initialize, {
    protocolVersion,
    clientCapabilities: capabilities,
    clientInfo: { ...agentInfo, name },
  })

  return {
    newSession: (place: SessionPlace): Promise<OpenedSession> => agent.request(session.new, place),
    async resumeSession(sessionId: string, place: SessionPlace): Promise<OpenedSession> {
      return { ...(await agent.request(session.resume, { sessionId, ...place })), sessionId }
    },
    /** Like `resumeSession`, after updates that replay the conversation. Settles after all of them have been handled. */
    async loadSession(sessionId: string, place: SessionPlace): Promise<OpenedSession> {
      const opened = await agent.request(session.load, { sessionId, ...place })
      await updatesHandled()
      return { ...opened, sessionId }
    },
    /** Most recently used first. */
    async *listSessions(query: { readonly cwd?: string }): AsyncGenerator<SessionInfo> {
      let cursor: string | undefined
      do {
        const page = await agent.request(session.list, { ...query, ...(cursor !== undefined && { cursor }) })
        yield* page.sessions
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
    },
    /** Settles after every update of the turn has been handled. */
    async prompt(sessionId: string, content: readonly ContentBlock[]): Promise<PromptResponse> {
      const answer = await agent.request(session.prompt, { sessionId, prompt: [...content] })
      await updatesHandled()
      return answer
    },
    cancel: (sessionId: string) => void agent.notify(session.cancel, { sessionId }).catch(() => undefined),
    /** Returns all options, because one may change another. */
    async setOption(
      sessionId: string,
      configId: string,
      value: string,
    ): Promise<readonly SessionConfigOption[]> {
      return (await agent.request(session.setConfigOption, { sessionId, configId, value })).configOptions
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
