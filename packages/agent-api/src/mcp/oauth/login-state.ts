import type { McpServerConfig } from '../server-config.ts'
import { hasOwnAuth } from './has-own-auth.ts'
import { parseMarker, readMarkerText, type LoginMarker } from './login-marker.ts'

/** How things stand with the login of a server, as far as that is known without asking it. Undefined where nothing is. */
export async function loginStateOf(config: McpServerConfig, stateDir: string): Promise<LoginMarker['state'] | undefined> {
  if (config.type === 'stdio' || hasOwnAuth(config) || !URL.canParse(config.url)) return undefined
  return parseMarker(await readMarkerText(stateDir, config.url))?.state
}
