import { OstlerError } from '../../base/errors.ts'
import { createListeners } from '../../base/listeners.ts'
import type { Logger } from '../../base/logger.ts'
import { isRecord } from '../../base/is-record.ts'
import { createProtocolLog, type KeptMessage, type ProtocolLog } from '../../mcp/protocol-log.ts'
import type { ServerLog } from '../../mcp/server-log.ts'
import type { ServiceMembranes } from './call-service-tool.ts'
import { createPersonQuestions } from './person-questions.ts'
import { toProtocolDetail, toProtocolView } from './protocol-view.ts'
import type { CallToolOptions, RequestOptions, ServerId, ServerNews, ServerService } from '../server-service.ts'
import type { ServiceConnectionOptions, ServiceConnections } from './service-connections.ts'

type Watching =
  | 'watch'
  | 'listQuestions'
  | 'answerQuestion'
  | 'subscribe'
  | 'unsubscribe'
  | 'listSubscriptions'
  | 'readLog'
  | 'readProtocol'
  | 'readProtocolMessage'
  | 'replay'

export interface WatchedServersOptions {
  readonly connections: Pick<ServiceConnections, 'find' | 'onChange'>
  readonly connect: (id: ServerId, signal: AbortSignal) => ReturnType<ServiceConnections['connect']>
  readonly signalOf: (options: RequestOptions) => AbortSignal
  readonly callTool: ServerService['callTool']
  readonly membranes: Pick<ServiceMembranes, 'strike'>
  readonly openLog: () => ServerLog
  readonly logger: Logger
}

/** The view of a person who tries servers: their questions, their messages and logs, and the changes of their resources. */
export interface WatchedServers {
  readonly methods: Pick<ServerService, Watching>
  readonly watching: NonNullable<ServiceConnectionOptions['watching']>
  resourceChanged(id: ServerId, uri: string): void
  askedMs(id: ServerId): number
  forget(id: ServerId): void
}

export function createWatchedServers(ports: WatchedServersOptions): WatchedServers {
  const { connections, connect, signalOf, membranes, logger } = ports
  const questions = createPersonQuestions(logger)
  const protocols = new Map<ServerId, ProtocolLog>()
  const logs = new Map<ServerId, ServerLog>()
  const resources = createListeners<[ServerId, string]>('the resources of servers', logger)
  const subscriptions = createListeners<[ServerId]>('the subscriptions of servers', logger)
  const viewOptions = (id: ServerId) => ({ strike: membranes.strike, tools: connections.find(id)?.client.tools ?? [] })

  function protocolOf(id: ServerId): ProtocolLog {
    const log = protocols.get(id) ?? createProtocolLog()
    protocols.set(id, log)
    return log
  }

  function logOf(id: ServerId): ServerLog {
    const log = logs.get(id) ?? ports.openLog()
    logs.set(id, log)
    return log
  }

  function kept(id: ServerId, seq: number): KeptMessage {
    const message = protocols
      .get(id)
      ?.messages()
      .find((one) => one.seq === seq)
    if (message === undefined) throw new OstlerError('servers.message_gone', 'This message is no longer kept.')
    return message
  }

  return {
    watching: { hostOf: questions.hostOf, protocolOf, logOf },
    resourceChanged: resources.tell,
    askedMs: questions.askedMs,
    forget(id) {
      protocols.delete(id)
      logs.delete(id)
    },

    methods: {
      watch(id, listener) {
        const tell = (news: ServerNews) => listener(news)
        const stops = [
          questions.watch(id, () => tell({ of: 'questions' })),
          protocolOf(id).onAdd(() => tell({ of: 'protocol' })),
          subscriptions.add((server) => server === id && tell({ of: 'subscriptions' })),
          connections.onChange((server) => server === id && tell({ of: 'subscriptions' })),
          resources.add((server, uri) => server === id && tell({ of: 'resource', uri })),
        ]
        return () => stops.forEach((stop) => stop())
      },
      listQuestions: questions.list,
      answerQuestion: questions.answer,
      async subscribe(id, uri, options = {}) {
        const { client } = await connect(id, signalOf(options))
        client.watchResource(uri)
        subscriptions.tell(id)
      },
      unsubscribe(id, uri) {
        connections.find(id)?.client.unwatchResource(uri)
        subscriptions.tell(id)
      },
      listSubscriptions: (id) => connections.find(id)?.client.watchedResources ?? [],
      readLog(id) {
        const log = logOf(id)
        return { level: log.level, entries: log.entries(), stderr: log.stderr() }
      },
      readProtocol: (id, search = '') => toProtocolView(protocols.get(id), search, viewOptions(id)),
      readProtocolMessage: (id, seq) => toProtocolDetail(kept(id, seq), viewOptions(id)),
      async replay(id, seq, options) {
        const message = kept(id, seq)
        if (!toProtocolDetail(message, viewOptions(id)).canReplay)
          throw new OstlerError('servers.no_replay', 'This message cannot be sent again.')
        await sendAgain(ports, message, id, options)
      },
    },
  }
}

async function sendAgain(
  { callTool, connect, signalOf }: WatchedServersOptions,
  { json, method }: KeptMessage,
  id: ServerId,
  options: CallToolOptions,
): Promise<void> {
  const { params } = JSON.parse(json) as { readonly params?: unknown }
  const { _meta, ...own } = isRecord(params) ? params : {}
  if (method === 'tools/call') {
    const { name, arguments: args } = own
    await callTool(id, String(name), isRecord(args) ? args : {}, options)
    return
  }
  const signal = signalOf(options)
  const { client } = await connect(id, signal)
  // An error is also an answer, and is shown among the messages.
  await client.resend(method, own, { signal }).catch((error: OstlerError) => {
    if (error.code !== 'mcp.call_failed') throw error
  })
}
