import {
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  type AuthorizationServerMetadata,
} from '@modelcontextprotocol/client'
import { messageOf, OstlerError } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { createAuthFetch } from './auth-fetch.ts'
import { openDpopSession } from './dpop.ts'
import { lockLogin } from './login-marker.ts'
import {
  dropTokens,
  readLogin,
  writeLogin,
  type Login,
  type LoginPlace,
  type LoginTokens,
} from './login-store.ts'
import { toLoginError } from './to-login-error.ts'
import { defined } from '../../base/is-record.ts'

/** Timeout of a renewal, including retries. Shorter than the time after which other processes break the lock. */
const renewalMsMax = 20_000
const renewBeforeMsMax = 60_000

interface RenewOptions extends LoginPlace {
  readonly url: string
  /** The access token that must be replaced. */
  readonly spent: string
  readonly logger: Logger
}

/**
 * Returns the login with a fresh token, which another process may have obtained. Undefined if only a person can obtain one. Throws if it
 * may work later. Not cancellable, because a new token must not be lost.
 */
export async function renewLogin({ url, spent, logger, ...place }: RenewOptions): Promise<Login | undefined> {
  using _lock = await lockLogin(place.stateDir, url)
  const login = await readLogin(url, place)
  if (login?.tokens === undefined) return undefined
  if (login.tokens.access !== spent) return login
  const tokens = await refreshed(login, place, logger)
  if (tokens === undefined) {
    await dropTokens(login, place)
    return undefined
  }
  const renewed = { ...login, tokens }
  try {
    await writeLogin(renewed, place)
  } catch (error) {
    // The login works in this process; later processes will ask for a new one.
    logger.warn('a renewed login could not be stored', { error: messageOf(error) })
  }
  return renewed
}

async function refreshed(
  { tokens, dpopKey, ...login }: Login,
  { redactor }: LoginPlace,
  logger: Logger,
): Promise<LoginTokens | undefined> {
  if (tokens?.refresh === undefined) return undefined
  try {
    const answer = await refreshAuthorization(login.issuer, {
      metadata: metadataOf(login),
      clientInformation: login.client,
      refreshToken: tokens.refresh,
      ...(login.resource !== undefined && { resource: login.resource }),
      ...(dpopKey !== undefined && { dpop: await openDpopSession(dpopKey) }),
      fetchFn: createAuthFetch(login.url, AbortSignal.timeout(renewalMsMax)),
    })
    return { ...toTokens(answer), scope: answer.scope ?? tokens.scope }
  } catch (error) {
    const known = toLoginError(error, redactor)
    logger.warn('a login could not be renewed', { error: known.message })
    if (isRefusal(error)) return undefined
    throw new OstlerError('mcp.unreachable', `its login could not be renewed: ${known.message}`, {
      cause: error,
    })
  }
}

/** True if the authorization server rejected the request. Other failures may be temporary: an unreachable network, or a captive portal. */
export function isRefusal(error: unknown): boolean {
  const passing: readonly string[] = [
    OAuthErrorCode.ServerError,
    OAuthErrorCode.TemporarilyUnavailable,
    OAuthErrorCode.TooManyRequests,
  ]
  return error instanceof OAuthError && !passing.includes(error.code)
}

export function toTokens(answer: {
  access_token: string
  refresh_token?: string
  expires_in?: number
  scope?: string
}): LoginTokens {
  return {
    access: answer.access_token,
    ...defined({ refresh: answer.refresh_token, scope: answer.scope }),
    ...expiryOf(answer.expires_in),
  }
}

function expiryOf(seconds = 0): Pick<LoginTokens, 'expiresAt' | 'renewAt'> {
  if (!(seconds > 0)) return {}
  const expiresAt = Date.now() + seconds * 1_000
  return { expiresAt, renewAt: expiresAt - Math.min(renewBeforeMsMax, seconds * 100) }
}

function metadataOf({
  issuer,
  tokenEndpoint,
  authMethods,
}: Pick<Login, 'issuer' | 'tokenEndpoint' | 'authMethods'>): AuthorizationServerMetadata {
  return {
    issuer,
    authorization_endpoint: issuer,
    token_endpoint: tokenEndpoint,
    response_types_supported: ['code'],
    ...(authMethods !== undefined && { token_endpoint_auth_methods_supported: [...authMethods] }),
  }
}
