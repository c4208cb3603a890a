import { randomBytes } from 'node:crypto'
import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  registerClient,
  resourceUrlFromServerUrl,
  startAuthorization,
  validateAuthorizationResponseIssuer,
  type AuthorizationServerMetadata,
  type FetchLike,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import { OstlerError } from '../../base/errors.ts'
import type { Redactor } from '../../redaction/redact.ts'
import type { SecretStoreKind } from '../../secret-store/secret-store.ts'
import type { HttpServerConfig } from '../server-config.ts'
import { createGuardedFetch } from '../transports/guarded-fetch.ts'
import { checkAddress, createAuthFetch } from './auth-fetch.ts'
import { loginUrl } from './login-key.ts'
import { lockLogin } from './login-marker.ts'
import { readLogin, writeLogin, type Login, type LoginClient } from './login-store.ts'
import type { LogInOptions, RedirectListener } from './log-in-options.ts'
import { toTokens } from './renew-login.ts'
import { registerByHand, toLoginError, toOneLine } from './to-login-error.ts'

const loginMsMax = 5 * 60_000
const probeMsMax = 15_000

export interface LogInRequest extends LogInOptions {
  readonly config: Pick<HttpServerConfig, 'type' | 'url' | 'headers'>
  readonly stateDir: string
  readonly prefer?: SecretStoreKind | undefined
  readonly redactor: Redactor
}

/** Logs a person in to a server and returns the store of the login. Throws `login.*`, or `secrets.*` if the login cannot be stored. */
export async function logIn(request: LogInRequest, signal: AbortSignal): Promise<SecretStoreKind> {
  const late = new AbortController()
  const waitMs = request.waitMs ?? loginMsMax
  const timer = setTimeout(() => late.abort(timedOut(waitMs)), waitMs)
  const stop = AbortSignal.any([signal, late.signal])
  try {
    const login = await getLogin(request, stop)
    await using _lock = await lockLogin(request.stateDir, login.url)
    return await writeLogin(login, request, request.prefer)
  } catch (error) {
    throw stop.aborted ? stop.reason : toLoginError(error, request.redactor)
  } finally {
    clearTimeout(timer)
  }
}

async function getLogin(request: LogInRequest, signal: AbortSignal): Promise<Login> {
  const { config, redactor, listen, show } = request
  const url = loginUrl(config.url)
  const authFetch = createAuthFetch(url, signal)
  const found = await discover(config, url, authFetch, signal)
  const { metadata, resource } = found
  const authorizationServer = metadata.issuer
  const scope = scopeOf(request.scope ?? found.scope, metadata)

  await using listener = await listen()
  const client = await findClient({ request, url, metadata, scope, listener, authFetch })
  const state = randomBytes(32).toString('base64url')
  const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServer, {
    metadata,
    clientInformation: client,
    redirectUrl: listener.url,
    state,
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
  })
  redactor.add(codeVerifier)
  await checkAddress(authorizationUrl, url)
  const answered = listener.receive((params) => params.getAll('state').length === 1 && params.get('state') === state, signal)
  // Avoids an unhandled rejection before it is awaited.
  answered.catch(() => undefined)
  show(authorizationUrl.href)
  const { code, iss } = codeOf(await answered, metadata, redactor)

  const answer = await exchangeAuthorization(authorizationServer, {
    metadata,
    clientInformation: client,
    authorizationCode: code,
    ...(iss !== undefined && { iss }),
    codeVerifier,
    redirectUri: listener.url,
    ...(resource !== undefined && { resource }),
    fetchFn: authFetch,
  })
  if (answer.token_type.toLowerCase() !== 'bearer')
    throw new OstlerError('login.unsupported', 'The authorization server issues a token type that Ostler does not support.')
  const { token_endpoint: tokenEndpoint, revocation_endpoint: revocationEndpoint } = metadata as {
    token_endpoint: string
    revocation_endpoint?: string
  }
  return {
    url,
    issuer: metadata.issuer,
    tokenEndpoint,
    ...(revocationEndpoint !== undefined && { revocationEndpoint }),
    ...(metadata.token_endpoint_auth_methods_supported !== undefined && { authMethods: metadata.token_endpoint_auth_methods_supported }),
    ...(resource !== undefined && { resource }),
    client,
    tokens: toTokens({ ...answer, ...(answer.scope === undefined && scope !== undefined && { scope }) }),
  }
}

interface Discovered {
  readonly metadata: AuthorizationServerMetadata
  readonly resource: string | undefined
  readonly scope: string | undefined
}

/** Finds the authorization server, as named by the server or its resource metadata. */
async function discover(config: LogInRequest['config'], url: string, authFetch: FetchLike, signal: AbortSignal): Promise<Discovered> {
  const challenge = await challengeOf(config, signal)
  const { resourceMetadataUrl } = challenge
  const resourceMetadata = await resourceMetadataOf(url, resourceMetadataUrl, authFetch)
  if (resourceMetadata !== undefined) checkResource(url, resourceMetadata)
  const issuer = resourceMetadata?.authorization_servers?.[0] ?? new URL('/', url).href
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: authFetch })
  if (metadata === undefined)
    throw new OstlerError('login.unsupported', 'The server offers no OAuth login. Try a header or `auth` in its entry.')
  return {
    metadata,
    // Keep the resource verbatim, because an authorization server may compare it exactly. One that knows no resources may reject the
    // parameter.
    resource: resourceMetadata?.resource,
    scope: challenge.scope ?? resourceMetadata?.scopes_supported?.join(' '),
  }
}

/** Reads the server's challenge to an unauthenticated request. The request is harmless. */
async function challengeOf({ type, url, headers }: LogInRequest['config'], signal: AbortSignal) {
  const ping = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) }
  const response = await createGuardedFetch()(url, {
    ...(type === 'http' && ping),
    headers: { ...headers, accept: 'application/json, text/event-stream', ...(type === 'http' && { 'content-type': 'application/json' }) },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(probeMsMax)]),
  })
  await response.body?.cancel()
  return response.status === 401 ? extractWWWAuthenticateParams(response) : {}
}

/** Servers from before 2025-06-18 have no resource metadata: they are their own authorization servers. */
async function resourceMetadataOf(
  url: string,
  resourceMetadataUrl: URL | undefined,
  authFetch: FetchLike,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  let isAnswered = false
  const fetchFn: FetchLike = async (...args) => {
    const response = await authFetch(...args)
    isAnswered = true
    return response
  }
  try {
    return await discoverOAuthProtectedResourceMetadata(url, { ...(resourceMetadataUrl && { resourceMetadataUrl }) }, fetchFn)
  } catch (error) {
    // A response without metadata is fine. A refused address or an unreachable host is an error.
    if (!isAnswered || error instanceof OstlerError) throw error
    return undefined
  }
}

function checkResource(url: string, { resource }: OAuthProtectedResourceMetadata): void {
  if (checkResourceAllowed({ requestedResource: resourceUrlFromServerUrl(url), configuredResource: resource })) return
  throw new OstlerError('login.wrong_resource', 'The login metadata of the server is for another server, so it is rejected.')
}

/** The scope to request, plus `offline_access` if the server requires it for refresh tokens. */
function scopeOf(wanted: string | undefined, { scopes_supported: known }: AuthorizationServerMetadata): string | undefined {
  if (wanted === undefined || wanted === '') return undefined
  const offline = 'offline_access'
  return known?.includes(offline) === true && !wanted.split(' ').includes(offline) ? `${wanted} ${offline}` : wanted
}

interface ClientSearch {
  readonly request: LogInRequest
  readonly url: string
  readonly metadata: AuthorizationServerMetadata
  readonly scope: string | undefined
  readonly listener: RedirectListener
  readonly authFetch: FetchLike
}

/** Returns the client that a person named, now or earlier. Otherwise registers one for this login. */
async function findClient({ request, url, metadata, scope, listener, authFetch }: ClientSearch): Promise<LoginClient> {
  const { client, redactor } = request
  if (client !== undefined) {
    if (client.secret !== undefined) redactor.add(client.secret)
    return { client_id: client.id, ...(client.secret !== undefined && { client_secret: client.secret }), isGiven: true }
  }
  const before = await readLogin(url, request)
  if (before?.client.isGiven === true && before.issuer === metadata.issuer) return before.client
  if (metadata.registration_endpoint === undefined)
    throw new OstlerError('login.no_registration', `Its authorization server does not support client registration. ${registerByHand}`)
  const methods = metadata.token_endpoint_auth_methods_supported
  const method =
    methods === undefined || methods.includes('none') ? 'none' : methods.find((each) => /^client_secret_(?:basic|post)$/.test(each))
  const registered = await registerClient(metadata.issuer, {
    metadata,
    clientMetadata: {
      client_name: 'Ostler',
      redirect_uris: [listener.url],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: method ?? 'none',
      application_type: 'native',
    },
    ...(scope !== undefined && { scope }),
    fetchFn: authFetch,
  })
  const { client_id, client_secret, token_endpoint_auth_method } = registered
  if (client_secret !== undefined) redactor.add(client_secret)
  return {
    client_id,
    ...(client_secret !== undefined && { client_secret }),
    ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
    isGiven: false,
  }
}

/** Validates the issuer before anything else in the response is used. */
function codeOf(
  params: URLSearchParams,
  metadata: AuthorizationServerMetadata,
  redactor: Redactor,
): { code: string; iss: string | undefined } {
  const iss = params.get('iss') ?? undefined
  const { authorization_response_iss_parameter_supported: saysIssuer } = metadata as {
    authorization_response_iss_parameter_supported?: boolean
  }
  validateAuthorizationResponseIssuer({ iss, expectedIssuer: metadata.issuer, issParameterSupported: saysIssuer === true })
  const error = params.get('error')
  if (error !== null) {
    const why = [error, params.get('error_description') ?? ''].filter((text) => text !== '').join(': ')
    throw new OstlerError('login.refused', `The authorization server rejected the request: ${toOneLine(why, redactor)}`)
  }
  const code = params.get('code') ?? ''
  if (code === '') throw new OstlerError('login.failed', 'The authorization server returned no code.')
  redactor.add(code)
  return { code, iss }
}

function timedOut(waitMs: number): OstlerError {
  return new OstlerError('login.timeout', `The login timed out after ${waitMs / 60_000} minutes. Try again.`)
}
