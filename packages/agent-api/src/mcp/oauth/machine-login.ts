import { OstlerError } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import type { Redactor } from '../../redaction/redact.ts'
import type { HttpServerConfig } from '../server-config.ts'
import type { LoginTokens } from './login-store.ts'
import type { ServerLogin } from './logins.ts'
import type { MachineGrant } from './oauth-settings.ts'
import { coversScopes, unionOfScopes } from './scopes.ts'

interface MachineLoginOptions {
  readonly config: HttpServerConfig
  readonly grant: MachineGrant
  readonly redactor: Redactor
  readonly logger: Logger
}

/**
 * The login of a server whose entry holds the credentials. Tokens are obtained when the server asks for one, and kept in memory only: the
 * credentials can obtain others at any time.
 */
export function createMachineLogin({ config, grant, redactor, logger }: MachineLoginOptions): ServerLogin {
  let tokens: LoginTokens | undefined
  let obtaining: Promise<LoginTokens> | undefined
  let sent: string | undefined

  function obtain(): Promise<LoginTokens> {
    obtaining ??= obtainNow().finally(() => (obtaining = undefined))
    return obtaining
  }

  async function obtainNow(): Promise<LoginTokens> {
    const { requestGrant } = await import('./request-grant.ts')
    tokens = undefined
    tokens = await requestGrant({ config, grant, redactor })
    logger.debug(`MCP server ${config.name}: it obtained a token`)
    return tokens
  }

  async function token(): Promise<string | undefined> {
    const isOver = tokens?.renewAt !== undefined && tokens.renewAt < Date.now()
    sent = (isOver ? await obtain() : tokens)?.access
    return sent
  }

  return {
    auth: {
      token,
      async onUnauthorized() {
        // Another request may have obtained one since.
        if (tokens === undefined || tokens.access === sent) await obtain()
      },
    },
    proofs: () => Promise.resolve(undefined),
    needed: (scope) => refused(tokens?.scope, scope),
    accepted: () => Promise.resolve(),
    onNews: () => () => undefined,
  }
}

function refused(granted: string | undefined, scope = ''): OstlerError {
  const isMissing = scope !== '' && !coversScopes(granted, scope)
  const cure = isMissing
    ? `set the scope in its entry to: ${unionOfScopes(granted, scope)}`
    : 'check auth in its entry'
  return new OstlerError(
    'mcp.needs_authorization',
    `the server refuses the token that Ostler obtained; ${cure}`,
  )
}
