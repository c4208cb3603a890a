/** Data that the suite passes for one scenario. */
export interface ScenarioContext {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly client_id?: string
  readonly client_secret?: string
  readonly private_key_pem?: string
  readonly signing_algorithm?: string
  readonly idp_client_id?: string
  readonly idp_id_token?: string
  readonly idp_token_endpoint?: string
  readonly issuer?: string
  readonly valid_jwt?: string
}

/** The document that the suite expects as the client's ID where documents are supported. */
const documentUrl = 'https://conformance-test.local/client-metadata.json'

/** `auth` of the server's entry, as a person would write it for the scenario. */
export async function authOf(
  scenario: string,
  context: ScenarioContext,
  url: string,
): Promise<object | undefined> {
  if (scenario === 'auth/basic-cimd') return { type: 'oauth', clientMetadataUrl: documentUrl }
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = context
  if (clientId === undefined) return undefined
  if (scenario === 'auth/pre-registration') return { type: 'oauth', clientId, clientSecret }
  const grant = { issuer: context.issuer ?? (await issuerOf(url)), clientId }
  if (privateKey !== undefined)
    return {
      type: 'client-credentials-jwt',
      ...grant,
      privateKey,
      algorithm: context.signing_algorithm ?? 'ES256',
    }
  if (context.valid_jwt !== undefined) return { type: 'workload', ...grant, assertion: context.valid_jwt }
  if (context.idp_id_token === undefined) return { type: 'client-credentials', ...grant, clientSecret }
  const { idp_token_endpoint: idpTokenEndpoint, idp_client_id: idpClientId, idp_id_token: idToken } = context
  return { type: 'enterprise', ...grant, clientSecret, idpTokenEndpoint, idpClientId, idToken }
}

/** A person knows the authorization server. The suite chooses its port, so it is read from the server. */
async function issuerOf(url: string): Promise<string> {
  const { origin, pathname } = new URL(url)
  const response = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`)
  const { authorization_servers: servers = [] } = (await response.json()) as {
    authorization_servers?: string[]
  }
  return servers[0] ?? origin
}
