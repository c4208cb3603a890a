import { callStatuses } from '@ostler/agent-api/internal'
import { toDiscoveredTools, type ServerView } from '@ostler/workbench'
import { z } from 'zod'
import type { CallApp, CallFilters, CallPage, Statistics, StoredCall } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { exportCalls } from '../export-calls.ts'
import { requestError } from '../http/route.ts'
import { parseQuery } from '../parse-request.ts'
import { replies, routes } from './route-table.ts'

const pageSize = { default: 50, max: 200 } as const
const dayMs = 24 * 60 * 60 * 1_000

/** `server=-` selects calls of tools without a server. */
const server = z.string().transform((name) => (name === noServer ? null : name))
const noServer = '-'
/** Times are stored and compared as text. */
const instant = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()])
  .transform((text) => new Date(text).toISOString())

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

export function callRoutes(context: ConsoleContext) {
  const { state, strike } = context
  return [
    ...replies({
      'GET /api/calls/export'({ query }) {
        const { session: sessionId, format, ...filter } = parseQuery(exportSchema, query)
        return {
          type: 'download',
          name: `ostler-calls.${format}`,
          contentType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
          pieces: exportCalls(state.calls, { ...filter, sessionId }, format, strike),
        }
      },
    }),
    ...routes({
      'GET /api/calls'({ query }): CallPage {
        const { session: sessionId, limit, ...filter } = parseQuery(listSchema, query)
        const calls = state.calls.list({ ...filter, sessionId, limit })
        return { calls, next: calls.length < limit ? undefined : calls.at(-1)?.seq }
      },
      'GET /api/calls/filters'(): CallFilters {
        const called = state.calls.tools()
        return {
          servers: called.flatMap(({ server: name }) => (name === null ? [] : [name])),
          tools: [...new Set(called.flatMap(({ tools }) => tools))].toSorted(),
        }
      },
      async 'GET /api/calls/statistics'({ query, signal }): Promise<Statistics> {
        const { days, server, by } = parseQuery(statisticsSchema, query)
        const since = new Date(Date.now() - days * dayMs).toISOString()
        return { days: await state.calls.statistics({ since, server, by }, signal) }
      },
      'GET /api/calls/:id': ({ params }) => findCall(context, params['id']),
      'GET /api/calls/:id/app': ({ params, signal }) =>
        findApp(context, findCall(context, params['id']), signal),
    }),
  ]
}

function findCall({ state }: ConsoleContext, id = ''): StoredCall {
  const call = state.calls.find(id)
  if (call === undefined) throw requestError(404, 'console.unknown_call', 'There is no such call.')
  return call
}

/** Only asks a server that is connected, so that reading the history starts nothing. */
async function findApp({ agent }: ConsoleContext, call: StoredCall, signal: AbortSignal): Promise<CallApp> {
  if (call.server === null) return {}
  const service = await agent.service()
  const server = (await service.listServers()).find((candidate) => isServerOf(candidate, call))
  if (server?.status.state !== 'connected') return {}
  const tools = toDiscoveredTools(await service.server(server.id).use({ signal }))
  const uri = tools.find(({ name }) => name === call.tool)?.appUri
  return uri === undefined ? {} : { uri, server: server.id }
}

/** The name alone does not identify the server: an editor's server may have the name of a stored one. */
function isServerOf({ id, name, origin }: ServerView, { serverId, server, sessionId }: StoredCall): boolean {
  if (serverId !== null) return id === serverId
  return origin === 'file' && name === server && sessionId === null
}
