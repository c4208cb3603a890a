import type { Environment } from '../../config/environment-overrides.ts'
import { OstlerError } from '../../base/errors.ts'
import type { ServerRow } from '../../history/servers.ts'
import { hasOwnAuth } from '../../mcp/oauth/has-own-auth.ts'
import type { LogInRequest } from '../../mcp/oauth/log-in.ts'
import { parseMarker, readMarkerText } from '../../mcp/oauth/login-marker.ts'
import { isMachineGrant } from '../../mcp/oauth/oauth-settings.ts'
import { isHttpServer, type McpServerConfig } from '../../mcp/server-config.ts'
import type { Redactor } from '../../redaction/redact.ts'
import { unsealSecrets } from '../../secret-store/seal-secrets.ts'
import type { SecretStoreKind } from '../../secret-store/secret-store.ts'
import { resolveEntry } from '../stored/resolve-server.ts'
import type { ServerSecretValues } from '../stored/server-secrets.ts'
import type { RequestOptions, ServerService, ServerView } from '../server-service.ts'

export interface ServerLoginsOptions {
  readonly stateDir: string
  readonly env: Environment
  readonly redactor: Redactor
  readonly prefer: SecretStoreKind | undefined
  /** Finds a server by id or name, ready to be connected. Throws `servers.unknown`. */
  readonly find: (idOrName: string) => Promise<McpServerConfig>
  readonly signalOf: (options: RequestOptions) => AbortSignal
}

/** The service's logins. The code for logging in is loaded on demand. */
export interface ServerLogins extends Pick<ServerService, 'logIn' | 'logOut'> {
  /** The known login state, without asking the server. */
  stateOf(config: McpServerConfig): Promise<ServerView['login']>
  stateOfStored(row: ServerRow, values: ServerSecretValues | undefined): Promise<ServerView['login']>
}

export function createServerLogins({ stateDir, env, redactor, prefer, find, signalOf }: ServerLoginsOptions): ServerLogins {
  async function stateOf(config: McpServerConfig): Promise<ServerView['login']> {
    if (!isHttpServer(config) || hasOwnAuth(config) || !URL.canParse(config.url)) return undefined
    return parseMarker(await readMarkerText(stateDir, config.url))?.state
  }

  async function remoteServer(target: string): Promise<LogInRequest['config']> {
    if (/^https?:\/\//i.test(target)) return serverAt(target)
    const config = await find(target)
    if (!isHttpServer(config))
      throw new OstlerError('login.not_remote', `The server '${config.name}' runs on this machine. There is nothing to log in to.`)
    const { oauth } = config
    if (hasOwnAuth(config) || isMachineGrant(oauth))
      throw new OstlerError(
        'login.has_auth',
        `The entry of the server '${config.name}' already has credentials, in auth or a header. It does not use a login.`,
      )
    return { ...config, oauth }
  }

  return {
    stateOf,
    async stateOfStored({ name, config }, values) {
      if (config['type'] === 'stdio' || values === undefined) return undefined
      try {
        const server = resolveEntry(name, unsealSecrets(config, values), { values: Object.values(values), env, redactor })
        return await stateOf(server.config)
      } catch {
        // Connecting fails for the same reason, and reports it.
        return undefined
      }
    },
    async logIn(target, request) {
      const config = await remoteServer(target)
      const { logIn } = await import('../../mcp/oauth/log-in.ts')
      return logIn({ ...request, config, stateDir, prefer, redactor }, signalOf(request))
    },
    async logOut(target, request = {}) {
      const { url } = await remoteServer(target)
      const { logOut } = await import('../../mcp/oauth/log-out.ts')
      return logOut({ url, stateDir, redactor }, signalOf(request))
    },
  }
}

function serverAt(url: string): LogInRequest['config'] {
  if (URL.canParse(url)) return { type: 'http', url, headers: {} }
  throw new OstlerError('mcp.invalid_url', 'The URL of the server is not an http or https URL.')
}
