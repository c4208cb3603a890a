import type { ServerService } from '@ostler/agent-api/manage'
import type { ConsoleContext } from '../context.ts'
import type { Reply, Route, RouteRequest } from '../http/route.ts'

/** A request for the servers. */
export interface ServiceRequest extends RouteRequest {
  readonly service: ServerService
  /** The `:id` of the path. */
  readonly id: string
}

/** A route that uses the servers. */
export function serviceRoute(
  { agent }: ConsoleContext,
  method: Route['method'],
  path: string,
  handle: (request: ServiceRequest) => Promise<Reply>,
): Route {
  return {
    method,
    path,
    async handle(request) {
      return await handle({ ...request, service: await agent.service(), id: request.params['id'] ?? '' })
    },
  }
}
