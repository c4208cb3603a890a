import type { Server, ServerService, ServerView } from '@ostler/workbench'
import { z } from 'zod'
import type { ConsoleContext } from '../context.ts'
import { json, type Route, type RouteRequest } from '../http/route.ts'
import { parseConfirmed, requireConsentToConnect } from '../server-consent.ts'

type Table<Request> = Readonly<Record<`${Route['method']} ${string}`, (request: Request) => unknown>>

/** A function per request. Its value is sent as JSON, and an async iterable line by line. */
export function routes(table: Table<RouteRequest>): readonly Route[] {
  return Object.entries(table).map(([name, handle]) => {
    const [method, path = ''] = name.split(' ')
    return {
      method: method as Route['method'],
      path,
      async handle(request) {
        const value = (await handle(request)) ?? {}
        return isLines(value) ? { type: 'lines', lines: value } : json(value)
      },
    }
  })
}

function isLines(value: object): value is AsyncIterable<unknown> {
  return typeof value === 'object' && Symbol.asyncIterator in value
}

interface ServiceRequest extends RouteRequest {
  readonly service: ServerService
}

export function serviceRoutes({ agent }: ConsoleContext, table: Table<ServiceRequest>): readonly Route[] {
  return routes(
    Object.fromEntries(
      Object.entries(table).map(([name, handle]) => [
        name,
        async (request: RouteRequest) => handle({ ...request, service: await agent.service() }),
      ]),
    ),
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
  return serviceRoutes(
    context,
    Object.fromEntries(
      Object.entries(table).map(([name, handle]) => [
        name.replace(' ', ' /api/servers/:id'),
        async (request: ServiceRequest) => {
          const { service, params, body = {} } = request
          const view = await service.getServer(params['id'] ?? '')
          return handle({
            ...request,
            view,
            server: service.server(view.id),
            async consented(schema) {
              const [parsed, confirmed] = parseConfirmed(schema ?? z.strictObject({}), body)
              await requireConsentToConnect(view, confirmed, context)
              return parsed as z.output<NonNullable<typeof schema>>
            },
          })
        },
      ]),
    ),
  )
}
