import { PassThrough, Readable, Writable } from 'node:stream'
import {
  client,
  McpOverAcpProvider,
  methods,
  ndJsonStream,
  type ClientConnection,
  type McpServerRegistration,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable'
import { fromMcpServer, type McpServerAdapter } from '@agentclientprotocol/sdk/experimental/mcp-server'
import type { McpServer } from '@modelcontextprotocol/server'
import { startServer } from '@ostler/acp-server'
import { silentLogger } from '@ostler/agent-api/internal'
import type { AgentLab } from './agent-lab.ts'

/** An editor made of the ACP SDK's own client, which provides MCP servers itself. It is connected with a server in this process. */
export interface SdkEditor extends AsyncDisposable {
  readonly connection: ClientConnection
  readonly permissions: readonly RequestPermissionRequest[]
  /** Registers a server. The factory makes a new one for each request, as the SDK requires. */
  provide(name: string, factory: () => McpServer, serverId?: string): EditorServer
  /** A new session with these servers, or a stored one. */
  open(
    cwd: string,
    servers: readonly object[],
    stored?: { method: string; sessionId: string },
  ): Promise<string>
  /** Settles with the text of the answer. */
  prompt(sessionId: string, text: string): Promise<string>
  updates(sessionId: string): readonly SessionUpdate[]
}

export interface EditorServer {
  readonly adapter: McpServerAdapter
  readonly registration: McpServerRegistration
}

export interface SdkEditorOptions {
  readonly mcpOverAcp?: boolean
  readonly name?: string
  /** The option to choose when permission is asked for. */
  readonly choose?: string
  readonly elicit?: (params: unknown) => unknown
}

export async function openSdkEditor(
  lab: AgentLab,
  { mcpOverAcp = true, name = 'editor', choose = 'allow-once', elicit }: SdkEditorOptions = {},
): Promise<SdkEditor & { readonly capabilities: unknown }> {
  const [toAgent, fromAgent] = [new PassThrough(), new PassThrough()]
  const openAgent = () => lab.openAgent(silentLogger)
  const server = startServer({
    input: toAgent,
    output: fromAgent,
    openAgent,
    logger: silentLogger,
    mcpOverAcp,
  })
  const permissions: RequestPermissionRequest[] = []
  const updates: { readonly sessionId: string; readonly update: SessionUpdate }[] = []
  const provider = new McpOverAcpProvider()
  const adapters: McpServerAdapter[] = []
  const app = client({ name })
    .onRequest(methods.client.mcp.message, provider.handleRequest)
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      permissions.push(params)
      return { outcome: { outcome: 'selected', optionId: choose } }
    })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params))
  if (elicit !== undefined)
    app.onRequest(methods.client.elicitation.create, ({ params }) => elicit(params) as never)
  const connection = app.connect(
    ndJsonStream(
      Writable.toWeb(toAgent) as WritableStream<Uint8Array>,
      Readable.toWeb(fromAgent) as ReadableStream<Uint8Array>,
    ),
  )
  const { agentCapabilities } = await connection.agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: { ...(elicit !== undefined && { elicitation: { form: {}, url: {} } }) },
    clientInfo: { name, version: '1' },
  })
  return {
    connection,
    permissions,
    capabilities: agentCapabilities?.mcpCapabilities,
    provide(server, factory, serverId) {
      const adapter = fromMcpServer(factory)
      adapters.push(adapter)
      const options = { name: server, handler: adapter.handler, ...(serverId !== undefined && { serverId }) }
      return { adapter, registration: provider.registerServer(connection.agent, options) }
    },
    async open(cwd, mcpServers, stored) {
      const params = { cwd, mcpServers }
      const { agent } = connection
      if (stored === undefined)
        return (await agent.request<{ sessionId: string }>('session/new', params)).sessionId
      await agent.request(stored.method, { ...params, sessionId: stored.sessionId })
      return stored.sessionId
    },
    async prompt(sessionId, text) {
      const before = updates.length
      await connection.agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: 'text', text }],
      })
      const since = updates.slice(before).filter((each) => each.sessionId === sessionId)
      return since
        .map(({ update }) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
            ? update.content.text
            : '',
        )
        .join('')
    },
    updates: (sessionId) => updates.flatMap((each) => (each.sessionId === sessionId ? [each.update] : [])),
    async [Symbol.asyncDispose]() {
      toAgent.end()
      await server.ended
      await Promise.all(adapters.map((adapter) => adapter.close()))
      connection.close()
    },
  }
}
