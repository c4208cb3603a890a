import { setTimeout as sleep } from 'node:timers/promises'
import { mcpLogLevels, onAbort } from '@ostler/agent-api/internal'
import type { ServerNews, ServerService } from '@ostler/agent-api/manage'
import { z } from 'zod'
import type { AnswerServer, Complete, ServerLog, Suggestions, WatchLine } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { requestError } from '../http/request-error.ts'
import { json, type Route } from '../http/route.ts'
import { createLineQueue } from '../line-queue.ts'
import { parseRequest } from '../parse-request.ts'
import { connectable, consentFields } from '../server-consent.ts'
import { serviceRoute } from './service-route.ts'

/** A server may send many messages. The page is told at most this often. */
const newsEveryMs = 200

const answerSchema = z.strictObject({
  question: z.string(),
  answer: z.discriminatedUnion('action', [
    z.strictObject({ action: z.enum(['decline', 'cancel']) }),
    z.strictObject({ action: z.literal('accept'), content: z.record(z.string(), z.unknown()).exactOptional() }),
    z.strictObject({ action: z.literal('say'), model: z.string().min(1).max(200), text: z.string() }),
  ]),
})
const subscribeSchema = z.strictObject({ ...consentFields, uri: z.string(), on: z.boolean() })
const completedFields = { argument: z.string(), value: z.string(), known: z.record(z.string(), z.string()) }
const completeSchema = z.union([
  z.strictObject({ ...completedFields, prompt: z.string() }),
  z.strictObject({ ...completedFields, template: z.string() }),
])
const levelSchema = z.strictObject({ level: z.enum(mcpLogLevels) })
const replaySchema = z.strictObject(consentFields)

/** Follow a server while it is tried: its questions, its log, its messages, and its resources. */
export function serverWatchRoutes(context: ConsoleContext): readonly Route[] {
  const { audit } = context
  return [
    serviceRoute(context, 'POST', '/api/servers/:id/watch', async ({ service, id, signal }) => {
      const server = await service.getServer(id)
      return { type: 'lines', lines: watch(service, server.id, signal) }
    }),
    serviceRoute(context, 'POST', '/api/servers/:id/answer', async ({ service, id, body }) => {
      const { question, answer }: AnswerServer = parseRequest(answerSchema, body)
      const server = await service.getServer(id)
      // The typed text is for the server only.
      await audit.run('answer-server', { server: server.name, answer: answer.action }, () =>
        service.answerQuestion(server.id, question, answer),
      )
      return json({})
    }),
    serviceRoute(context, 'POST', '/api/servers/:id/subscribe', async ({ service, id, body, signal }) => {
      const { uri, on, ...confirmed } = parseRequest(subscribeSchema, body)
      const server = await (on ? connectable(service, id, confirmed, context) : service.getServer(id))
      await audit.run(on ? 'subscribe' : 'unsubscribe', { server: server.name, uri }, async () =>
        on ? service.subscribe(server.id, uri, { signal }) : service.unsubscribe(server.id, uri),
      )
      return json({})
    }),
    serviceRoute(context, 'POST', '/api/servers/:id/complete', async ({ service, id, body, signal }) => {
      const asked: Complete = parseRequest(completeSchema, body)
      const server = await service.getServer(id)
      const none: Suggestions = { values: [], hasMore: false }
      return json(server.status.state === 'connected' ? await service.complete(server.id, asked, { signal }) : none)
    }),
    serviceRoute(context, 'GET', '/api/servers/:id/log', async ({ service, id }) => {
      const server = await service.getServer(id)
      return json(service.readLog(server.id) satisfies ServerLog)
    }),
    serviceRoute(context, 'POST', '/api/servers/:id/log-level', async ({ service, id, body, signal }) => {
      const { level } = parseRequest(levelSchema, body)
      const server = await service.getServer(id)
      if (server.status.state !== 'connected')
        throw requestError(409, 'console.not_connected', 'This console is not connected to the server.')
      await audit.run('set-log-level', { server: server.name, level }, () => service.setLogLevel(server.id, level, { signal }))
      return json({})
    }),
    serviceRoute(context, 'GET', '/api/servers/:id/protocol', async ({ service, id, query }) => {
      const server = await service.getServer(id)
      return json(await service.readProtocol(server.id, query.get('search') ?? ''))
    }),
    serviceRoute(context, 'GET', '/api/servers/:id/protocol/:seq', async ({ service, id, params }) => {
      const server = await service.getServer(id)
      return json(service.readProtocolMessage(server.id, Number(params['seq'])))
    }),
    serviceRoute(context, 'POST', '/api/servers/:id/protocol/:seq/replay', async ({ service, id, params, body, signal }) => {
      const server = await connectable(service, id, parseRequest(replaySchema, body ?? {}), context)
      const seq = Number(params['seq'])
      const { method } = service.readProtocolMessage(server.id, seq)
      await audit.run('replay-request', { server: server.name, method }, () =>
        service.replay(server.id, seq, { origin: 'console', signal }),
      )
      return json({})
    }),
  ]
}

async function* watch(service: ServerService, id: string, signal: AbortSignal): AsyncGenerator<WatchLine> {
  const queue = createLineQueue<WatchLine>()
  const changed = new Set<string>()
  const questions = () => queue.push({ type: 'questions', questions: service.listQuestions(id) })
  const subscriptions = () => queue.push({ type: 'subscriptions', uris: service.listSubscriptions(id) })
  const protocol = throttled(() => queue.push({ type: 'news', news: { of: 'protocol' } }), signal)
  const resources = throttled(() => {
    for (const uri of changed) queue.push({ type: 'news', news: { of: 'resource', uri } })
    changed.clear()
  }, signal)
  const stop = service.watch(id, (news: ServerNews) => {
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

/** Runs the work soon, once for all requests until then. */
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
