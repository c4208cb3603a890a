import type { Server, ServerService, ServerView } from '@ostler/workbench'
import { z } from 'zod'
import type { ConsoleContext } from '../context.ts'
import { json, type Reply, type Route, type RouteRequest } from '../http/route.ts'
import { parseConfirmed, requireConsentToConnect } from '../server-consent.ts'

type Table<Request, Value = unknown> = Readonly<
  Record<`${Route['method']} ${string}`, (request: Request) => Value>
>

/** A function per request. Its value is sent as JSON, and an async iterable line by line. */
export function routes(table: Table<RouteRequest>): readonly Route[] {
  return toRoutes(table, async (handle, request) => toReply(await handle(request)))
}

/** The same for functions that return the reply. */
export function replies(table: Table<RouteRequest, Promise<Reply> | Reply>): readonly Route[] {
  return toRoutes(table, (handle, request) => handle(request))
}

interface ServiceRequest extends RouteRequest {
  readonly service: ServerService
}

export function serviceRoutes({ agent }: ConsoleContext, table: Table<ServiceRequest>): readonly Route[] {
  return toRoutes(table, async (handle, request) =>
    toReply(await handle({ ...request, service: await agent.service() })),
  )
}

interface ServerRequest extends ServiceRequest {
  readonly view: ServerView
  readonly server: Server
  /** Parses the body, and requires consent unless the server is connected. */
  consented<T extends z.ZodObject = z.ZodObject>(schema?: T): Promise<z.output<T>>
}

/** Requests for one server. Their paths follow `/api/servers/:id`. */
export function serverRoutes(context: ConsoleContext, table: Table<ServerRequest>): readonly Route[] {
  return toRoutes(
    table,
    async (handle, request) => {
      const service = await context.agent.service()
      const view = await service.getServer(request.params['id'] ?? '')
      const value = await handle({
        ...request,
        service,
        view,
        server: service.server(view.id),
        async consented(schema) {
          const [parsed, confirmed] = parseConfirmed(schema ?? z.strictObject({}), request.body ?? {})
          await requireConsentToConnect(view, confirmed, context)
          return parsed as z.output<NonNullable<typeof schema>>
        },
      })
      return toReply(value)
    },
    '/api/servers/:id',
  )
}

function toRoutes<Handle>(
  table: Readonly<Record<string, Handle>>,
  answer: (handle: Handle, request: RouteRequest) => Promise<Reply> | Reply,
  prefix = '',
): readonly Route[] {
  return Object.entries(table).map(([name, handle]) => {
    const [method, path = ''] = name.split(' ')
    return {
      method: method as Route['method'],
      path: `${prefix}${path}`,
      handle: (request) => answer(handle, request),
    }
  })
}

function toReply(value: unknown): Reply {
  return isLines(value) ? { type: 'lines', lines: value } : json(value ?? {})
}

function isLines(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
