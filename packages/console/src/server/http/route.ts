import type { EventSource } from './event-stream.ts'

/** A request as a handler sees it: let in, its path matched, its body read. */
export interface RouteRequest {
  /** What stood where the pattern has `:name`. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Undefined where there was none. */
  readonly body: unknown
  /** Aborted when whoever asked has gone. */
  readonly signal: AbortSignal
}

export type Reply =
  | { readonly type: 'json'; readonly status?: number; readonly value: unknown }
  /** Each value is one line of JSON, sent when it is there. */
  | { readonly type: 'lines'; readonly lines: AsyncIterable<unknown> }
  /** Pieces of a text, asked for as fast as they are taken. Secrets have been struck from them. */
  | { readonly type: 'download'; readonly name: string; readonly contentType: string; readonly pieces: AsyncIterable<string> }
  | { readonly type: 'events'; readonly source: EventSource }

export type Handler = (request: RouteRequest) => Promise<Reply> | Reply

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/api/servers/:id`; a name stands for one segment. */
  readonly path: string
  readonly handle: Handler
}

export type Match =
  | { readonly type: 'found'; readonly handle: Handler; readonly params: Readonly<Record<string, string>> }
  | { readonly type: 'wrong-method'; readonly allow: readonly string[] }
  | { readonly type: 'unknown' }

export function json(value: unknown, status?: number): Reply {
  return status === undefined ? { type: 'json', value } : { type: 'json', status, value }
}

/** The first that fits; one without names in it stands in front of one with. */
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
    allow: [...new Set(fitting.flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method])))],
  }
}

function paramsOf(pattern: readonly string[], segments: readonly (string | undefined)[]): Record<string, string> | undefined {
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

/** Undefined for what is no text. */
function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
