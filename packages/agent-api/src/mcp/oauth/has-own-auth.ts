import type { HttpServerConfig } from '../server-config.ts'

/** Whether its configuration says how the server is shown who we are. Then that is what it gets, and no login. */
export function hasOwnAuth({ headers, hasAuth = false }: Pick<HttpServerConfig, 'headers' | 'hasAuth'>): boolean {
  return hasAuth || Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}
