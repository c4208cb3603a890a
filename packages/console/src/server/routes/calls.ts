import { callStatuses, type ServerView } from '@ostler/agent-api/manage'
import { z } from 'zod'
import type { CallApp, CallDetail, CallFilters, CallPage, Statistics } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { exportCalls } from '../export-calls.ts'
import { requestError } from '../http/request-error.ts'
import { json, type Route } from '../http/route.ts'
import { parseQuery } from '../parse-request.ts'

const pageSize = { default: 50, max: 200 } as const
const dayMs = 24 * 60 * 60 * 1_000

/** `server=-` selects calls of tools without a server. */
const server = z.string().transform((name) => (name === noServer ? null : name))
const noServer = '-'
/** Times are stored and compared as text. */
const instant = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]).transform((text) => new Date(text).toISOString())

const filterFields = {
  session: z.string().optional(),
  turn: z.coerce.number().int().min(0).optional(),
  server: server.optional(),
  tool: z.string().optional(),
  status: z.enum(callStatuses).optional(),
  since: instant.optional(),
  until: instant.optional(),
  text: z.string().max(1_000).optional(),
}

const listSchema = z.strictObject({
  ...filterFields,
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(pageSize.max).default(pageSize.default),
})

const exportSchema = z.strictObject({ ...filterFields, format: z.enum(['json', 'csv']) })

const statisticsSchema = z.strictObject({
  days: z.coerce.number().int().min(1).max(366).default(30),
  server: server.optional(),
  by: z.enum(['server', 'tool']).optional(),
})

export function callRoutes(context: ConsoleContext): readonly Route[] {
  const { history, strike } = context
  return [
    {
      method: 'GET',
      path: '/api/calls',
      handle({ query }) {
        const { session: sessionId, limit, ...filter } = parseQuery(listSchema, query)
        const calls = history.listCalls({ ...filter, sessionId, limit })
        const last = calls.length < limit ? undefined : calls.at(-1)
        const page: CallPage = { calls, ...(last !== undefined && { next: last.seq }) }
        return json(page)
      },
    },
    {
      method: 'GET',
      path: '/api/calls/filters',
      handle() {
        const called = history.callFilters()
        const filters: CallFilters = {
          servers: called.flatMap(({ server: name }) => (name === null ? [] : [name])),
          tools: [...new Set(called.flatMap(({ tools }) => tools))].toSorted(),
        }
        return json(filters)
      },
    },
    {
      method: 'GET',
      path: '/api/calls/statistics',
      async handle({ query, signal }) {
        const { days, server, by } = parseQuery(statisticsSchema, query)
        const since = new Date(Date.now() - days * dayMs).toISOString()
        const statistics: Statistics = { days: await history.callStatistics({ since, server, by }, signal) }
        return json(statistics)
      },
    },
    {
      method: 'GET',
      path: '/api/calls/export',
      handle({ query }) {
        const { session: sessionId, format, ...filter } = parseQuery(exportSchema, query)
        return {
          type: 'download',
          name: `ostler-calls.${format}`,
          contentType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
          pieces: exportCalls(history, { ...filter, sessionId }, format, strike),
        }
      },
    },
    {
      method: 'GET',
      path: '/api/calls/:id',
      handle({ params }) {
        return json(findCall(context, params['id']))
      },
    },
    {
      method: 'GET',
      path: '/api/calls/:id/app',
      async handle({ params, signal }) {
        return json(await findApp(context, findCall(context, params['id']), signal))
      },
    },
  ]
}

function findCall({ history }: ConsoleContext, id = ''): CallDetail {
  const call = history.findCall(id)
  if (call === undefined) throw requestError(404, 'console.unknown_call', 'There is no such call.')
  return call
}

/** Only asks a server that is connected, so that reading the history starts nothing. */
async function findApp({ agent }: ConsoleContext, call: CallDetail, signal: AbortSignal): Promise<CallApp> {
  if (call.server === null) return {}
  const service = await agent.service()
  const server = (await service.listServers()).find((candidate) => isServerOf(candidate, call))
  if (server?.status.state !== 'connected') return {}
  const uri = (await service.discoverTools(server.id, { signal })).find(({ name }) => name === call.tool)?.appUri
  return uri === undefined ? {} : { uri, server: server.id }
}

/** The name alone does not identify the server: an editor's server may have the name of a stored one. */
function isServerOf({ id, name, origin }: ServerView, { serverId, server, sessionId }: CallDetail): boolean {
  if (serverId !== null) return id === serverId
  return origin === 'file' && name === server && sessionId === null
}
