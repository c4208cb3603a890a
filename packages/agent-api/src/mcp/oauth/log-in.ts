import { randomBytes } from 'node:crypto'
import {
  exchangeAuthorization,
  registerClient,
  RegistrationRejectedError,
  startAuthorization,
  validateAuthorizationResponseIssuer,
  type AuthorizationServerMetadata,
  type FetchLike,
  type OAuthTokens,
} from '@modelcontextprotocol/client'
import { OstlerError } from '../../base/errors.ts'
import { addIssued } from '../../redaction/issued-secret.ts'
import type { Redactor } from '../../redaction/redact.ts'
import type { SecretStoreKind } from '../../secret-store/secret-store.ts'
import { checkAddress, createAuthFetch } from './auth-fetch.ts'
import { checkIssuer, discover, noLogin, type Discovered, type RemoteServer } from './discover.ts'
import { createDpopKey, openDpopSession, type DpopKey } from './dpop.ts'
import { loginUrl } from '../../base/login-key.ts'
import { lockLogin } from './login-marker.ts'
import { knowClient, readLogin, writeLogin, type Login, type LoginClient } from './login-store.ts'
import type { PersonLogin } from './oauth-settings.ts'
import { toTokens } from './renew-login.ts'
import { registerByHand, toLoginError, toOneLine } from './to-login-error.ts'
import { defined } from '../../base/is-record.ts'

const loginMsMax = 5 * 60_000

export interface LogInRequest extends LogInOptions {
  readonly config: RemoteServer & { readonly oauth?: PersonLogin | undefined }
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
    using _lock = await lockLogin(request.stateDir, login.url)
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
  const before = await readLogin(url, request)
  const found = await discover(config, url, {
    authFetch,
    signal,
    resource: request.resource ?? config.oauth?.resource ?? before?.resource,
  })
  checkGivenIssuer(request, found, before)
  const { metadata, resource } = found
  const authorizationServer = metadata.issuer
  const scope = scopeOf(request.scope ?? config.oauth?.scope ?? found.scope, metadata)

  await using listener = await listen()
  const client = await findClient({ request, before, found, scope, listener, authFetch })
  const state = randomBytes(32).toString('base64url')
  const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServer, {
    metadata,
    clientInformation: client,
    redirectUrl: listener.url,
    state,
    ...defined({ scope, resource }),
  })
  redactor.add(codeVerifier)
  await checkAddress(authorizationUrl, url)
  const answered = listener.receive(
    (params) => params.getAll('state').length === 1 && params.get('state') === state,
    signal,
  )
  // Avoids an unhandled rejection before it is awaited.
  answered.catch(() => undefined)
  show(authorizationUrl.href)
  const { code, iss } = codeOf(await answered, metadata, redactor)

  const dpopKey = found.isKeyBound ? await createDpopKey() : undefined
  const answer = await exchangeAuthorization(authorizationServer, {
    metadata,
    clientInformation: client,
    authorizationCode: code,
    ...(iss !== undefined && { iss }),
    codeVerifier,
    redirectUri: listener.url,
    ...(resource !== undefined && { resource }),
    ...(dpopKey !== undefined && { dpop: await openDpopSession(dpopKey) }),
    fetchFn: authFetch,
  })
  return toLogin(url, found, client, dpopKey, {
    ...answer,
    ...(answer.scope === undefined && scope !== undefined && { scope }),
  })
}

function toLogin(
  url: string,
  { metadata, resource }: Discovered,
  client: LoginClient,
  dpopKey: DpopKey | undefined,
  answer: OAuthTokens,
): Login {
  const kind = answer.token_type.toLowerCase()
  const isBound = kind === 'dpop' && dpopKey !== undefined
  if (kind !== 'bearer' && !isBound)
    throw new OstlerError(
      'login.unsupported',
      'The authorization server issues a token type that Ostler does not support.',
    )
  const { token_endpoint: tokenEndpoint, revocation_endpoint: revocationEndpoint } = metadata as {
    token_endpoint: string
    revocation_endpoint?: string
  }
  return {
    id: randomBytes(8).toString('hex'),
    url,
    issuer: metadata.issuer,
    tokenEndpoint,
    ...defined({ revocationEndpoint, authMethods: metadata.token_endpoint_auth_methods_supported, resource }),
    client,
    tokens: toTokens(answer),
    ...(isBound && { dpopKey }),
  }
}

/** The scope to request, plus `offline_access` if the server requires it for refresh tokens. */
function scopeOf(
  wanted: string | undefined,
  { scopes_supported: known }: AuthorizationServerMetadata,
): string | undefined {
  if (wanted === undefined || wanted === '') return undefined
  const offline = 'offline_access'
  return known?.includes(offline) === true && !wanted.split(' ').includes(offline)
    ? `${wanted} ${offline}`
    : wanted
}

interface ClientSearch {
  readonly request: LogInRequest
  readonly before: Login | undefined
  readonly found: Discovered
  readonly scope: string | undefined
  readonly listener: RedirectListener
  readonly authFetch: FetchLike
}

/** Returns the client that a person named, now or earlier, or one that is described on the web. Otherwise registers one for this login. */
async function findClient(search: ClientSearch): Promise<LoginClient> {
  const { request, before, found } = search
  const { metadata } = found
  const given = givenClient(request)
  if (given !== undefined) {
    knowClient(given, request.redactor)
    return given
  }
  const document = request.clientMetadataUrl ?? request.config.oauth?.clientMetadataUrl
  if (document !== undefined && describesClients(metadata))
    return { client_id: checkedDocument(document), isGiven: true }
  if (before?.client.isGiven === true && before.issuer === metadata.issuer) return before.client
  return register(search)
}

/**
 * A client belongs to one authorization server. If the entry names none, a secret goes only to the previous
 * login's.
 */
function checkGivenIssuer(request: LogInRequest, { metadata }: Discovered, before: Login | undefined): void {
  const named = request.issuer ?? request.config.oauth?.issuer
  if (named !== undefined) return checkIssuer(metadata, named)
  if (before === undefined || givenClient(request)?.client_secret === undefined) return
  const remedy =
    ' If the new one is right, log in with --issuer and its address, or set `issuer` in the entry.'
  checkIssuer(metadata, before.issuer, remedy)
}

function givenClient({ client, config }: LogInRequest): LoginClient | undefined {
  const { id, secret } = client ?? { id: config.oauth?.clientId, secret: config.oauth?.clientSecret }
  return id === undefined
    ? undefined
    : { client_id: id, ...(secret !== undefined && { client_secret: secret }), isGiven: true }
}

function describesClients(metadata: AuthorizationServerMetadata): boolean {
  return (
    (metadata as { client_id_metadata_document_supported?: boolean })
      .client_id_metadata_document_supported === true
  )
}

/** The authorization server fetches the document, so only its form is checked here. */
function checkedDocument(address: string): string {
  const url = URL.parse(address)
  if (
    url?.protocol === 'https:' &&
    url.pathname !== '/' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === ''
  )
    return address
  throw new OstlerError(
    'login.invalid_document',
    'The address of the client metadata must be an https URL with a path.',
  )
}

async function register({ request, found, scope, listener, authFetch }: ClientSearch): Promise<LoginClient> {
  const { metadata } = found
  if (metadata.registration_endpoint === undefined)
    throw new OstlerError(
      'login.no_registration',
      `Its authorization server does not support client registration. ${registerByHand}`,
    )
  const methods = metadata.token_endpoint_auth_methods_supported
  const method =
    methods === undefined || methods.includes('none')
      ? 'none'
      : methods.find((each) => /^client_secret_(?:basic|post)$/.test(each))
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
  }).catch((error: unknown) => {
    // Nothing answers at the assumed endpoints.
    const isNothing = error instanceof RegistrationRejectedError && [404, 405].includes(error.status)
    throw found.isAssumed && isNothing ? noLogin() : error
  })
  const { client_id, client_secret, token_endpoint_auth_method } = registered
  const client = { client_id, ...defined({ client_secret, token_endpoint_auth_method }), isGiven: false }
  knowClient(client, request.redactor)
  return client
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
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata.issuer,
    issParameterSupported: saysIssuer === true,
  })
  const error = params.get('error')
  if (error !== null) {
    const why = [error, params.get('error_description') ?? ''].filter((text) => text !== '').join(': ')
    throw new OstlerError(
      'login.refused',
      `The authorization server rejected the request: ${toOneLine(why, redactor)}`,
    )
  }
  const code = params.get('code') ?? ''
  if (code === '') throw new OstlerError('login.failed', 'The authorization server returned no code.')
  addIssued(redactor, code)
  return { code, iss }
}

function timedOut(waitMs: number): OstlerError {
  return new OstlerError('login.timeout', `The login timed out after ${waitMs / 60_000} minutes. Try again.`)
}

export interface LogInOptions {
  /** Starts to listen for the browser's redirect. */
  readonly listen: () => Promise<RedirectListener>
  /** Shows the login page's address to the person: https, or http on this machine. */
  readonly show: (url: string) => void
  /** A client registered by hand. By default, the previous one is used, or a new one is registered. */
  readonly client?: { readonly id: string; readonly secret?: string }
  /** The authorization server for which the client was registered. Another one gets nothing. */
  readonly issuer?: string
  /** A document on the web that describes the client. Used if the authorization server supports that. */
  readonly clientMetadataUrl?: string
  /** The scope to request. By default, what the server says it needs. */
  readonly scope?: string
  /**
   * A resource wider than the server, for which the tokens may be valid. By default, the previous login's.
   */
  readonly resource?: string
  readonly waitMs?: number
}

export interface RedirectListener extends AsyncDisposable {
  readonly url: string
  /** Returns the parameters of the request. Throws `login.wrong_state` if they are not accepted, or the signal's reason. */
  receive(accepts: (params: URLSearchParams) => boolean, signal: AbortSignal): Promise<URLSearchParams>
}
