import { setTimeout as sleep } from 'node:timers/promises'
import { mcpLogLevels, onAbort } from '@ostler/agent-api/internal'
import type { Server } from '@ostler/workbench'
import { z } from 'zod'
import type {
  AnswerServer,
  McpCompletion,
  McpSuggestions,
  ProtocolView,
  ServerLogView,
  WatchLine,
} from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { requestError } from '../http/route.ts'
import { createLineQueue } from '../line-queue.ts'
import { parseRequest } from '../parse-request.ts'
import { parseConfirmed, requireConsentToConnect } from '../server-consent.ts'
import { serverRoutes } from './route-table.ts'

/** A server may send many messages. The page is told at most this often. */
const newsEveryMs = 200

const answerSchema = z.strictObject({
  question: z.string(),
  answer: z.discriminatedUnion('action', [
    z.strictObject({ action: z.enum(['decline', 'cancel']) }),
    z.strictObject({
      action: z.literal('accept'),
      content: z.record(z.string(), z.unknown()).optional(),
    }),
    z.strictObject({ action: z.literal('say'), model: z.string().min(1).max(200), text: z.string() }),
  ]),
})
const subscribeSchema = z.strictObject({ uri: z.string(), on: z.boolean() })
const completedFields = { argument: z.string(), value: z.string(), known: z.record(z.string(), z.string()) }
const completeSchema = z.union([
  z.strictObject({ ...completedFields, prompt: z.string() }),
  z.strictObject({ ...completedFields, template: z.string() }),
])
const levelSchema = z.strictObject({ level: z.enum(mcpLogLevels) })

/** Follow a server while it is tried: its questions, its log, its messages, and its resources. */
export function serverWatchRoutes(context: ConsoleContext) {
  const { audit } = context
  return serverRoutes(context, {
    'POST /watch': ({ server, signal }) => watch(server, signal),
    async 'POST /answer'({ view, server, body }) {
      const { question, answer }: AnswerServer = parseRequest(answerSchema, body)
      // The typed text is for the server only.
      await audit.run('answer-server', { server: view.name, answer: answer.action }, () =>
        server.answer(question, answer),
      )
    },
    async 'POST /subscribe'({ view, server, body, signal }) {
      const [{ uri, on }, confirmed] = parseConfirmed(subscribeSchema, body)
      if (on) await requireConsentToConnect(view, confirmed, context)
      await audit.run(on ? 'subscribe' : 'unsubscribe', { server: view.name, uri }, async () =>
        on ? server.subscribe(uri, { signal }) : server.unsubscribe(uri),
      )
    },
    async 'POST /complete'({ server, body, signal }): Promise<McpSuggestions> {
      const asked: McpCompletion = parseRequest(completeSchema, body)
      if (server.status.state !== 'connected') return { values: [], hasMore: false }
      return (await server.use({ signal })).client.complete(asked, { signal })
    },
    'GET /log': ({ server }): ServerLogView => server.log(),
    async 'POST /log-level'({ view, server, body, signal }) {
      const { level } = parseRequest(levelSchema, body)
      if (server.status.state !== 'connected')
        throw requestError(409, 'console.not_connected', 'This console is not connected to the server.')
      await audit.run('set-log-level', { server: view.name, level }, async () =>
        (await server.use({ signal })).client.serverLog.setLevel(level, { signal }),
      )
    },
    'GET /protocol': ({ server, query }): Promise<ProtocolView> => server.protocol(query.get('search') ?? ''),
    'GET /protocol/:seq': ({ server, params }) => server.message(Number(params['seq'])),
    async 'POST /protocol/:seq/replay'({ view, server, params, consented, signal }) {
      await consented()
      const seq = Number(params['seq'])
      const { method } = server.message(seq)
      await audit.run('replay-request', { server: view.name, method }, () =>
        server.replay(seq, { origin: 'console', signal }),
      )
    },
  })
}

async function* watch(server: Server, signal: AbortSignal): AsyncGenerator<WatchLine> {
  const queue = createLineQueue<WatchLine>()
  const changed = new Set<string>()
  const questions = () => queue.push({ type: 'questions', questions: server.questions() })
  const subscriptions = () => queue.push({ type: 'subscriptions', uris: server.subscriptions() })
  const protocol = throttled(() => queue.push({ type: 'news', news: { of: 'protocol' } }), signal)
  const resources = throttled(() => {
    for (const uri of changed) queue.push({ type: 'news', news: { of: 'resource', uri } })
    changed.clear()
  }, signal)
  const stop = server.watch((news) => {
    if (news.of === 'questions') questions()
    else if (news.of === 'subscriptions') subscriptions()
    else if (news.of === 'resource') {
      changed.add(news.uri)
      resources()
    } else protocol()
  })
  using _aborting = onAbort(signal, () => queue.end())
  try {
    if (signal.aborted) return
    questions()
    subscriptions()
    yield* queue
  } finally {
    stop()
  }
}

function throttled(work: () => void, signal: AbortSignal): () => void {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    void sleep(newsEveryMs, undefined, { signal, ref: false })
      .catch(() => undefined)
      .then(() => {
        isWaiting = false
        work()
      })
  }
}
