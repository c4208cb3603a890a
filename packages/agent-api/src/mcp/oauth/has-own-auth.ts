import type { HttpServerConfig } from '../server-config.ts'
import { isMachineGrant } from './oauth-settings.ts'

/** True if the server's configuration provides credentials. They are then used instead of a login. */
export function hasOwnAuth({
  headers,
  hasAuth = false,
  oauth,
}: Pick<HttpServerConfig, 'headers' | 'hasAuth' | 'oauth'>): boolean {
  return (
    hasAuth ||
    isMachineGrant(oauth) ||
    Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  )
}
