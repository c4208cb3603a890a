import { OstlerError, type McpServerConfig, type Redactor } from '@ostler/agent-api'
import {
  hasOwnAuth,
  type LogInRequest,
  parseMarker,
  readMarkerText,
  loadLogIn,
  loadLogOut,
  isMachineGrant,
  isHttpServer,
  type SecretStoreKind,
} from '@ostler/agent-api/internal'
import type { RequestOptions, ServerService, ServerView } from '../server-service.ts'

interface ServerLoginsOptions {
  readonly stateDir: string
  readonly redactor: Redactor
  readonly prefer: SecretStoreKind | undefined
  /** Ready to be connected. Throws `servers.unknown`. */
  readonly find: (idOrName: string) => Promise<McpServerConfig>
  readonly signalOf: (options: RequestOptions) => AbortSignal
}

/** The code for logging in is loaded on demand. */
type ServerLogins = Pick<ServerService, 'logIn' | 'logOut'>

export function createServerLogins({
  stateDir,
  redactor,
  prefer,
  find,
  signalOf,
}: ServerLoginsOptions): ServerLogins {
  async function remoteServer(target: string): Promise<LogInRequest['config']> {
    if (/^https?:\/\//i.test(target)) return serverAt(target)
    const config = await find(target)
    if (!isHttpServer(config))
      throw new OstlerError(
        'login.not_remote',
        `The server '${config.name}' runs on this machine. There is nothing to log in to.`,
      )
    const { oauth } = config
    if (hasOwnAuth(config) || isMachineGrant(oauth))
      throw new OstlerError(
        'login.has_auth',
        `The entry of the server '${config.name}' already has credentials, in auth or a header. It does not use a login.`,
      )
    return { ...config, oauth }
  }

  return {
    async logIn(target, request) {
      const config = await remoteServer(target)
      const { logIn } = await loadLogIn()
      return logIn({ ...request, config, stateDir, prefer, redactor }, signalOf(request))
    },
    async logOut(target, request = {}) {
      const { url } = await remoteServer(target)
      const { logOut } = await loadLogOut()
      return logOut({ url, stateDir, redactor }, signalOf(request))
    },
  }
}

/** Does not ask the server. */
export async function loginStateOf(config: McpServerConfig, stateDir: string): Promise<ServerView['login']> {
  if (!isHttpServer(config) || hasOwnAuth(config) || !URL.canParse(config.url)) return undefined
  return parseMarker(await readMarkerText(stateDir, config.url))?.state
}

function serverAt(url: string): LogInRequest['config'] {
  if (URL.canParse(url)) return { type: 'http', url, headers: {} }
  throw new OstlerError('mcp.invalid_url', 'The URL of the server is not an http or https URL.')
}
