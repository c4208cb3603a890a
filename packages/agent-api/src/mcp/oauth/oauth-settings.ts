import type { HttpServerConfig } from '../server-config.ts'

/** The way in which Ostler obtains tokens for a server, as stated in its entry. */
export type OAuthSettings = PersonLogin | MachineGrant

/** A person logs in with a browser. */
export interface PersonLogin {
  readonly type: 'oauth'
  /** A client registered by hand. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** The authorization server of the client. Another one gets nothing. */
  readonly issuer?: string | undefined
  readonly clientMetadataUrl?: string | undefined
  readonly scope?: string | undefined
  /** A resource wider than the server, for which its tokens may be valid. */
  readonly resource?: string | undefined
}

/** Ostler obtains tokens itself, with credentials from the entry. They are sent to one authorization server only: its issuer. */
export type MachineGrant = ClientSecretGrant | ClientKeyGrant | EnterpriseGrant | WorkloadGrant

interface GrantBase {
  readonly issuer: string
  readonly clientId: string
  readonly scope?: string | undefined
  readonly resource?: string | undefined
}

export interface ClientSecretGrant extends GrantBase {
  readonly type: 'client-credentials'
  readonly clientSecret: string
}

/** The client proves itself with a signed token (`private_key_jwt`). */
interface ClientKeyGrant extends GrantBase {
  readonly type: 'client-credentials-jwt'
  readonly privateKey: string
  readonly algorithm: string
}

/** The identity provider of a company exchanges a person's ID token for a grant (ID-JAG), which the authorization server accepts. */
export interface EnterpriseGrant extends GrantBase {
  readonly type: 'enterprise'
  readonly clientSecret: string
  readonly idpTokenEndpoint: string
  readonly idpClientId: string
  readonly idpClientSecret?: string | undefined
  readonly idToken: string
}

/** The grant is a token of the machine that Ostler runs on. */
export interface WorkloadGrant extends GrantBase {
  readonly type: 'workload'
  readonly assertion: string
}

export function isMachineGrant(settings: OAuthSettings | undefined): settings is MachineGrant {
  return settings !== undefined && settings.type !== 'oauth'
}

/** The secret fields. A stored server's are in the secret store. */
const oauthSecrets = ['clientSecret', 'privateKey', 'idToken', 'idpClientSecret', 'assertion'] as const

export function secretsOfOAuth(settings: OAuthSettings): string[] {
  const fields = settings as Partial<Record<(typeof oauthSecrets)[number], string>>
  return oauthSecrets.flatMap((name) => fields[name] ?? [])
}

/** True if the server's configuration provides credentials. They are then used instead of a login. */
export function hasOwnAuth({
  headers,
  hasAuth = false,
  oauth,
}: Pick<HttpServerConfig, 'headers' | 'hasAuth' | 'oauth'>): boolean {
  return (
    hasAuth ||
    isMachineGrant(oauth) ||
    Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  )
}
