import type { HttpServerConfig } from '../server-config.ts'

/** True if the server's configuration provides credentials. They are then used instead of a login. */
export function hasOwnAuth({ headers, hasAuth = false }: Pick<HttpServerConfig, 'headers' | 'hasAuth'>): boolean {
  return hasAuth || Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}
