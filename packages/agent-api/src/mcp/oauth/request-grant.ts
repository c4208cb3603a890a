import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  fetchToken,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
  type FetchLike,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import { OstlerError } from '../../base/errors.ts'
import { addIssued } from '../../redaction/issued-secret.ts'
import type { Redactor } from '../../redaction/redact.ts'
import { createAuthFetch } from './auth-fetch.ts'
import { checkIssuer, discover, type Discovered, type RemoteServer } from './discover.ts'
import { loginUrl } from '../../base/login-key.ts'
import type { LoginTokens } from './login-store.ts'
import type { EnterpriseGrant, MachineGrant, WorkloadGrant } from './oauth-settings.ts'
import { isRefusal, toTokens } from './renew-login.ts'
import { toLoginError } from './to-login-error.ts'
import { defined } from '../../base/is-record.ts'

interface GrantRequest {
  readonly config: RemoteServer
  readonly grant: MachineGrant
  readonly redactor: Redactor
}

const grantMsMax = 30_000

/** Obtains tokens without a person. Sends the credentials only to the issuer in the entry. Throws `mcp.*`. */
export async function requestGrant({ config, grant, redactor }: GrantRequest): Promise<LoginTokens> {
  const url = loginUrl(config.url)
  const signal = AbortSignal.timeout(grantMsMax)
  const authFetch = createAuthFetch(url, signal)
  try {
    const found = await discover(config, url, { authFetch, signal, resource: grant.resource })
    const { metadata } = found
    checkIssuer(metadata, grant.issuer)
    const scope = grant.scope ?? found.scope
    const answer = await fetchToken(providerOf(grant, found, { url, signal }), metadata.issuer, {
      metadata,
      resource: found.resource ?? url,
      ...(scope !== undefined && { scope }),
      fetchFn: authFetch,
    })
    addIssued(redactor, answer.access_token, answer.refresh_token)
    return toTokens({ ...answer, ...(answer.scope === undefined && scope !== undefined && { scope }) })
  } catch (error) {
    throw asConnectionError(error, redactor)
  }
}

/** After a temporary failure, another attempt is made. After any other, nothing happens until the entry is corrected. */
function asConnectionError(error: unknown, redactor: Redactor): OstlerError {
  const known = toLoginError(error, redactor)
  const isPassing = known.code === 'login.failed' || (known.code === 'login.refused' && !isRefusal(error))
  const code = isPassing ? 'mcp.unreachable' : 'mcp.needs_authorization'
  return new OstlerError(code, `no token could be obtained: ${known.message}`, { cause: error })
}

function providerOf(
  grant: MachineGrant,
  found: Discovered,
  place: { url: string; signal: AbortSignal },
): OAuthClientProvider {
  const { clientId } = grant
  const expectedIssuer = found.metadata.issuer
  switch (grant.type) {
    case 'client-credentials':
      return new ClientCredentialsProvider({ clientId, clientSecret: grant.clientSecret, expectedIssuer })
    case 'client-credentials-jwt':
      return new PrivateKeyJwtProvider({
        clientId,
        privateKey: grant.privateKey,
        algorithm: grant.algorithm,
        expectedIssuer,
      })
    case 'enterprise': {
      const assertion = () => exchangeIdToken(grant, found, place)
      const provider = new CrossAppAccessProvider({
        clientId,
        clientSecret: grant.clientSecret,
        assertion,
        expectedIssuer,
      })
      provider.saveAuthorizationServerUrl(expectedIssuer)
      provider.saveResourceUrl?.(found.resource ?? place.url)
      return provider
    }
    case 'workload':
      return workloadProvider(grant)
  }
}

/** The identity provider is named by the entry, not by the server. So it may be in another network. */
async function exchangeIdToken(
  grant: EnterpriseGrant,
  found: Discovered,
  { url, signal }: { url: string; signal: AbortSignal },
): Promise<string> {
  const idpFetch: FetchLike = createAuthFetch(grant.idpTokenEndpoint, signal)
  const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
    tokenEndpoint: grant.idpTokenEndpoint,
    audience: found.metadata.issuer,
    resource: found.resource ?? url,
    idToken: grant.idToken,
    clientId: grant.idpClientId,
    ...defined({ clientSecret: grant.idpClientSecret, scope: grant.scope }),
    fetchFn: idpFetch,
  })
  return jwtAuthGrant
}

/** The SDK has no provider for this grant (RFC 7523). */
function workloadProvider({ clientId, assertion }: WorkloadGrant): OAuthClientProvider {
  return {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [], token_endpoint_auth_method: 'none' },
    clientInformation: () => ({ client_id: clientId }),
    tokens: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: () => undefined,
    saveCodeVerifier: () => undefined,
    codeVerifier: () => '',
    prepareTokenRequest(scope) {
      const params = new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion,
      })
      if (scope !== undefined && scope !== '') params.set('scope', scope)
      return params
    },
  }
}
