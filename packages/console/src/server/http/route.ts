import { OstlerError } from '@ostler/agent-api'
import type { EventSource } from './event-stream.ts'

/** An admitted request with a matched path and a parsed body. */
export interface RouteRequest {
  /** The values of the `:name` segments. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Undefined without a body. */
  readonly body: unknown
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

export type Reply =
  | { readonly type: 'json'; readonly status: number; readonly value: unknown }
  /** Each value is sent as a line of JSON as soon as it is available. */
  | { readonly type: 'lines'; readonly lines: AsyncIterable<unknown> }
  /** Chunks of text, produced as fast as they are read. Secrets must already be redacted. */
  | {
      readonly type: 'download'
      readonly name: string
      readonly contentType: string
      readonly pieces: AsyncIterable<string>
    }
  | { readonly type: 'events'; readonly source: EventSource }

type Handler = (request: RouteRequest) => Promise<Reply> | Reply

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** For example `/api/servers/:id`. A `:name` matches one segment. */
  readonly path: string
  readonly handle: Handler
}

type Match =
  | { readonly type: 'found'; readonly handle: Handler; readonly params: Readonly<Record<string, string>> }
  | { readonly type: 'wrong-method'; readonly allow: readonly string[] }
  | { readonly type: 'unknown' }

export function json(value: unknown, status = 200): Reply {
  return { type: 'json', status, value }
}

/** The first matching route. List a literal path before one with `:name` segments. */
export function matchRoute(routes: readonly Route[], method: string, path: string): Match {
  const segments = path.split('/').map(decodeSegment)
  const fitting = routes.flatMap((route) => {
    const params = paramsOf(route.path.split('/'), segments)
    return params === undefined ? [] : [{ route, params }]
  })
  const found = fitting.find(({ route }) => route.method === (method === 'HEAD' ? 'GET' : method))
  if (found !== undefined) return { type: 'found', handle: found.route.handle, params: found.params }
  if (fitting.length === 0) return { type: 'unknown' }
  return {
    type: 'wrong-method',
    allow: [
      ...new Set(fitting.flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))),
    ],
  }
}

function paramsOf(
  pattern: readonly string[],
  segments: readonly (string | undefined)[],
): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index]
    if (segment === undefined) return undefined
    if (!part.startsWith(':')) {
      if (segment !== part) return undefined
    } else if (segment === '') return undefined
    else params[part.slice(1)] = segment
  }
  return params
}

/** Undefined for an invalid encoding. */
function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** An error reply with this status. */
export function requestError(
  status: number,
  code: `console.${string}`,
  message: string,
  data: Record<string, unknown> = {},
): OstlerError {
  return new OstlerError(code, message, { data: { ...data, status } })
}
