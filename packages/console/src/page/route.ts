import { useEffect, useState } from 'preact/hooks'
import type { ServerView } from '../api.ts'

export const pageNames = ['questions', 'servers', 'tools', 'calls', 'agent', 'sessions'] as const
export type PageName = (typeof pageNames)[number]
export function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Only links lead to this page. */
const appPage = 'app'

export interface Route {
  readonly page: PageName | typeof appPage | undefined
  readonly id: string | undefined
  /** The segment after it: `/servers/NAME/log`. */
  readonly part: string | undefined
  readonly query: URLSearchParams
}

/** The path segments that may follow a page's name. */
const segmentsMax: Readonly<Partial<Record<PageName | typeof appPage, number>>> = { sessions: 1, servers: 2 }

export function parseRoute(path: string, search: string): Route {
  const [, first = '', second, ...rest] = path.replace(/\/$/, '').split('/')
  const name =
    first === ''
      ? 'servers'
      : first === 'policy'
        ? 'agent'
        : ([...pageNames, appPage] as const).find((page) => page === first)
  const partsMax = name === undefined ? 0 : (segmentsMax[name] ?? 0)
  const isKnown = (second === undefined ? 0 : 1 + rest.length) <= partsMax
  return {
    page: isKnown ? name : undefined,
    id: decoded(second),
    part: decoded(rest[0]),
    query: new URLSearchParams(search),
  }
}

export function toPath(
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>> = {},
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value))
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}

const changed = 'ostler:route'

export function navigate(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  dispatchEvent(new Event(changed))
}

export function useRoute(): Route {
  const [route, setRoute] = useState(current)
  useEffect(() => {
    const update = () => setRoute(current())
    addEventListener('popstate', update)
    addEventListener(changed, update)
    // A page may have navigated on before this effect ran.
    update()
    return () => {
      removeEventListener('popstate', update)
      removeEventListener(changed, update)
    }
  }, [])
  return route
}

function current(): Route {
  return parseRoute(location.pathname, location.search)
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const serverTabs = [
  'tools',
  'resources',
  'prompts',
  'log',
  'protocol',
  'calls',
  'settings',
  'about',
] as const
export type ServerTab = (typeof serverTabs)[number]

/** The page of a server. Its ID is needed only if the agent file has a server of the same name. */
export function serverPath(
  { id, name, shadowed }: Pick<ServerView, 'id' | 'name' | 'shadowed'>,
  tab: ServerTab = 'tools',
  query: Parameters<typeof toPath>[1] = {},
): string {
  return namedServerPath(shadowed ? id : name, tab, query)
}

/** `server` is its name or its ID. */
export function namedServerPath(
  server: string,
  tab: ServerTab = 'tools',
  query: Parameters<typeof toPath>[1] = {},
): string {
  const path = `/servers/${encodeURIComponent(server)}`
  return toPath(tab === 'tools' ? path : `${path}/${tab}`, query)
}

export function findServer<T extends Pick<ServerView, 'id' | 'name' | 'shadowed'>>(
  servers: readonly T[],
  wanted: string,
): T | undefined {
  const named = servers.filter(({ name }) => name === wanted)
  return servers.find(({ id }) => id === wanted) ?? named.find(({ shadowed }) => !shadowed) ?? named[0]
}

export function sessionPath(id: string): string {
  return `/sessions/${encodeURIComponent(id)}`
}
