import { OstlerError, type Redactor } from '@ostler/agent-api'
import {
  createListeners,
  createProtocolLog,
  createServerLog,
  isRecord,
  type KeptMessage,
  type McpHost,
  type ProtocolLog,
  type ServerLog,
} from '@ostler/agent-api/internal'
import { callServiceTool, type ServiceCallPorts } from './call-service-tool.ts'
import { createPersonQuestions } from './person-questions.ts'
import { toProtocolDetail, toProtocolView } from './protocol-view.ts'
import { explained, toLogView } from './server-capabilities.ts'
import { startOnUse, type ServerOnUse, type StartOnUseOptions } from './start-on-use.ts'
import type { CallToolOptions, RequestOptions, Server, ServerNews } from '../server-service.ts'

export interface ServerHandleOptions extends StartOnUseOptions {
  readonly signalOf: (options: RequestOptions) => AbortSignal
  readonly calls: Omit<ServiceCallPorts, 'askedMs'>
  readonly redactor: Redactor
}

export interface ServerHandle extends Server {
  readonly connection: ServerOnUse
  readonly host: Pick<McpHost, 'elicit' | 'sample'>
  readonly logs: { readonly protocol: ProtocolLog; readonly log: ServerLog }
  resourceChanged(uri: string): void
}

export function createServerHandle(options: ServerHandleOptions): ServerHandle {
  const { id, signalOf, calls, redactor } = options
  const questions = createPersonQuestions()
  const logs = { protocol: createProtocolLog(), log: createServerLog(redactor) }
  const news = createListeners<[ServerNews]>('the news of a server', calls.logger)
  const connection = startOnUse({
    ...options,
    onStatus() {
      options.onStatus()
      news.tell({ of: 'subscriptions' })
    },
  })
  const views = () => ({ strike: calls.membranes.strike, tools: connection.connected?.client.tools ?? [] })

  function kept(seq: number): KeptMessage {
    const message = logs.protocol.messages().find((one) => one.seq === seq)
    if (message === undefined)
      throw new OstlerError('servers.message_gone', 'This message is no longer kept.')
    return message
  }

  const use = (request: RequestOptions = {}) => explained(connection.use(signalOf(request)))

  async function sendAgain({ json, method }: KeptMessage, request: CallToolOptions): Promise<void> {
    const { params } = JSON.parse(json) as { readonly params?: unknown }
    const { _meta, ...own } = isRecord(params) ? params : {}
    if (method === 'tools/call') {
      const { name, arguments: args } = own
      await handle.call(String(name), isRecord(args) ? args : {}, request)
      return
    }
    const { client } = await use(request)
    // An error is also an answer, and is shown among the messages.
    await client.resend(method, own, { signal: signalOf(request) }).catch((error: OstlerError) => {
      if (error.code !== 'mcp.call_failed') throw error
    })
  }

  const handle: ServerHandle = {
    id,
    connection,
    host: questions.host,
    logs,
    resourceChanged: (uri) => news.tell({ of: 'resource', uri }),
    get status() {
      return connection.status
    },
    use,
    disconnect: connection.end,
    async call(tool, args, request) {
      const signal = signalOf(request)
      const used = await explained(connection.use(signal))
      const { askedMs } = questions
      return callServiceTool(
        { connection: used, tool, args, options: request, signal },
        { ...calls, askedMs },
      )
    },
    watch(listener) {
      const stops = [
        news.add(listener),
        questions.watch(() => listener({ of: 'questions' })),
        logs.protocol.onAdd(() => listener({ of: 'protocol' })),
      ]
      return () => stops.forEach((stop) => stop())
    },
    questions: questions.list,
    answer: questions.answer,
    subscriptions: () => connection.connected?.client.watchedResources ?? [],
    async subscribe(uri, request) {
      const { client } = await use(request)
      client.watchResource(uri)
      news.tell({ of: 'subscriptions' })
    },
    unsubscribe(uri) {
      connection.connected?.client.unwatchResource(uri)
      news.tell({ of: 'subscriptions' })
    },
    log: () => toLogView(logs.log),
    protocol: (search = '') => toProtocolView(logs.protocol, search, views()),
    message: (seq) => toProtocolDetail(kept(seq), views()),
    async replay(seq, request) {
      const message = kept(seq)
      if (!toProtocolDetail(message, views()).canReplay)
        throw new OstlerError('servers.no_replay', 'This message cannot be sent again.')
      await sendAgain(message, request)
    },
  }
  return handle
}
