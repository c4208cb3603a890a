import { isHttpServer, type McpServerConfig } from '../server-config.ts'
import { hasOwnAuth } from './has-own-auth.ts'
import { parseMarker, readMarkerText, type LoginMarker } from './login-marker.ts'

/** The known login state of a server, without asking it. Undefined if nothing is known. */
export async function loginStateOf(config: McpServerConfig, stateDir: string): Promise<LoginMarker['state'] | undefined> {
  if (!isHttpServer(config) || hasOwnAuth(config) || !URL.canParse(config.url)) return undefined
  return parseMarker(await readMarkerText(stateDir, config.url))?.state
}
