import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  resourceUrlFromServerUrl,
  type AuthorizationServerMetadata,
  type FetchLike,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import { OstlerError } from '../../base/errors.ts'
import { quoteWord } from '../../base/quote-word.ts'
import { shownAddress } from '../../http/redirect-reason.ts'
import type { HttpServerConfig } from '../server-config.ts'
import { createGuardedFetch } from '../transports/guarded-fetch.ts'
import { wantsDpop } from './dpop.ts'
import { loginUrl } from '../../base/login-key.ts'

const probeMsMax = 15_000

export interface Discovered {
  readonly metadata: AuthorizationServerMetadata
  /** True if the server publishes no metadata, so that the default endpoints of revision 2025-03-26 are used. */
  readonly isAssumed: boolean
  readonly resource: string | undefined
  readonly scope: string | undefined
  readonly isKeyBound: boolean
}

export type RemoteServer = Pick<HttpServerConfig, 'type' | 'url' | 'headers'>

/** Finds the authorization server, as named by the server or its resource metadata. */
export async function discover(
  config: RemoteServer,
  url: string,
  {
    authFetch,
    signal,
    resource,
  }: { readonly authFetch: FetchLike; readonly signal: AbortSignal; readonly resource?: string | undefined },
): Promise<Discovered> {
  const challenge = await challengeOf(config, signal)
  const { metadata: resourceMetadata, at } = await resourceMetadataOf(
    url,
    challenge.resourceMetadataUrl,
    authFetch,
  )
  const { origin } = new URL(url)
  // A document at the root of a host is about the whole host. No other server there can publish it.
  const whole = at === `${origin}/.well-known/oauth-protected-resource` ? origin : undefined
  if (resourceMetadata !== undefined) checkResource(url, resourceMetadata, [url, whole, resource])
  const issuer = resourceMetadata?.authorization_servers?.[0] ?? new URL('/', url).href
  const found = await discoverAuthorizationServerMetadata(issuer, { fetchFn: authFetch })
  const isAssumed = found === undefined && resourceMetadata === undefined && challenge.isRefused
  const metadata = found ?? (isAssumed ? defaultEndpoints(url) : undefined)
  if (metadata === undefined) throw noLogin()
  return {
    metadata,
    isAssumed,
    // Keep the resource verbatim, because an authorization server may compare it exactly. One that knows no resources may reject the
    // parameter.
    resource: resourceMetadata?.resource,
    scope: challenge.scope ?? resourceMetadata?.scopes_supported?.join(' '),
    isKeyBound: wantsDpop(metadata, resourceMetadata, challenge.isDpop),
  }
}

/** Throws `login.wrong_issuer` unless the server names the authorization server that its credentials are for. */
export function checkIssuer({ issuer }: AuthorizationServerMetadata, expected: string, remedy = ''): void {
  if (isSameAddress(issuer, expected)) return
  const why = `The server names another authorization server (${shownAddress(issuer)}) than the issuer ${expected}. Nothing was sent to it.`
  throw new OstlerError('login.wrong_issuer', `${why}${remedy}`)
}

/** Servers of revision 2025-03-26 may publish nothing. They then have these endpoints at their root. */
function defaultEndpoints(url: string): AuthorizationServerMetadata {
  const { origin } = new URL(url)
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  }
}

interface Challenge extends Partial<ReturnType<typeof extractWWWAuthenticateParams>> {
  readonly isRefused: boolean
  readonly isDpop: boolean
}

/** Reads the server's challenge to an unauthenticated request. The request is harmless. */
async function challengeOf({ type, url, headers }: RemoteServer, signal: AbortSignal): Promise<Challenge> {
  const ping = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) }
  const response = await createGuardedFetch()(url, {
    ...(type === 'http' && ping),
    headers: {
      ...headers,
      accept: 'application/json, text/event-stream',
      ...(type === 'http' && { 'content-type': 'application/json' }),
    },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(probeMsMax)]),
  })
  await response.body?.cancel()
  if (response.status !== 401) return { isRefused: false, isDpop: false }
  const isDpop = /^dpop\b/i.test(response.headers.get('www-authenticate') ?? '')
  return { ...extractWWWAuthenticateParams(response), isRefused: true, isDpop }
}
/** Servers from before 2025-06-18 have no resource metadata: they are their own authorization servers. */
async function resourceMetadataOf(
  url: string,
  resourceMetadataUrl: URL | undefined,
  authFetch: FetchLike,
): Promise<{ readonly metadata?: OAuthProtectedResourceMetadata; readonly at?: string | undefined }> {
  let at: string | undefined
  const fetchFn: FetchLike = async (...args) => {
    const response = await authFetch(...args)
    at = String(args[0])
    return response
  }
  try {
    const given = { resourceMetadataUrl }
    return { metadata: await discoverOAuthProtectedResourceMetadata(url, given, fetchFn), at }
  } catch (error) {
    // A response without metadata is fine. A refused address or an unreachable host is an error.
    if (at === undefined || error instanceof OstlerError) throw error
    return {}
  }
}

/** Tokens for a wider resource would also work at other servers there, so a person must name it. */
function checkResource(
  url: string,
  { resource }: OAuthProtectedResourceMetadata,
  accepted: readonly (string | undefined)[],
): void {
  if (accepted.some((name) => name !== undefined && isSameAddress(resource, name))) return
  if (
    !checkResourceAllowed({ requestedResource: resourceUrlFromServerUrl(url), configuredResource: resource })
  )
    throw new OstlerError(
      'login.wrong_resource',
      'The login metadata of the server is for another server, so it is rejected.',
    )
  // A person may copy the command, so it contains only the beginning of the server's own address.
  const shown = quoteWord(loginUrl(resource))
  throw new OstlerError(
    'login.wider_resource',
    `The tokens would be valid for all of ${shown}, and not only for this server. If you trust every server there, log in with --resource ${shown}, or set \`resource\` in the \`auth\` of its entry.`,
  )
}

/** A slash at the end makes no difference. */
function isSameAddress(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '')
}

export function noLogin(): OstlerError {
  return new OstlerError(
    'login.unsupported',
    'The server offers no OAuth login. Try a header or `auth` in its entry.',
  )
}
