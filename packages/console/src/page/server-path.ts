import type { ServerView } from '../api.ts'
import { toPath } from './route.ts'

export const serverTabs = ['tools', 'resources', 'prompts', 'log', 'protocol', 'calls', 'settings', 'about'] as const
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
export function namedServerPath(server: string, tab: ServerTab = 'tools', query: Parameters<typeof toPath>[1] = {}): string {
  const path = `/servers/${encodeURIComponent(server)}`
  return toPath(tab === 'tools' ? path : `${path}/${tab}`, query)
}

export function findServer<T extends Pick<ServerView, 'id' | 'name' | 'shadowed'>>(servers: readonly T[], wanted: string): T | undefined {
  const named = servers.filter(({ name }) => name === wanted)
  return servers.find(({ id }) => id === wanted) ?? named.find(({ shadowed }) => !shadowed) ?? named[0]
}
