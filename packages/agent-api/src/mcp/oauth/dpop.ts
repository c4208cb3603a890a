import {
  DpopSession,
  type AuthorizationServerMetadata,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import { webcrypto } from 'node:crypto'

/** A private key to which the tokens of a login are bound (DPoP): stolen tokens are useless without it. Stored with the login. */
export type DpopKey = webcrypto.JsonWebKey

const algorithm = 'ES256'
const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const

/**
 * True if tokens should be bound to a key. Many authorization servers support this for servers that do not, so the server itself must ask
 * for it: in its metadata, or in its challenge.
 */
export function wantsDpop(
  metadata: AuthorizationServerMetadata,
  resource: OAuthProtectedResourceMetadata | undefined,
  isChallenged: boolean,
): boolean {
  const canIssue = includesAlgorithm(metadata)
  return (
    canIssue &&
    (isChallenged || includesAlgorithm(resource) || resource?.dpop_bound_access_tokens_required === true)
  )
}

function includesAlgorithm(document: object = {}): boolean {
  const name = 'dpop_signing_alg_values_supported'
  return name in document && Array.isArray(document[name]) && document[name].includes(algorithm)
}

export async function createDpopKey(): Promise<DpopKey> {
  const { privateKey } = await webcrypto.subtle.generateKey(curve, true, ['sign', 'verify'])
  return webcrypto.subtle.exportKey('jwk', privateKey)
}

/** A session signs requests and remembers the nonces of servers. */
export async function openDpopSession(key: DpopKey): Promise<DpopSession> {
  const { crv, kty, x, y } = key
  const publicJwk = { crv, kty, x, y }
  const [privateKey, publicKey] = await Promise.all([
    webcrypto.subtle.importKey('jwk', key, curve, false, ['sign']),
    webcrypto.subtle.importKey('jwk', publicJwk, curve, true, ['verify']),
  ])
  return DpopSession.create({
    keyPair: { privateKey, publicKey, publicJwk, thumbprint: await thumbprintOf(publicJwk), alg: algorithm },
  })
}

/** RFC 7638: the members in this order, without spaces. */
async function thumbprintOf({ crv, kty, x, y }: DpopKey): Promise<string> {
  const digest = await webcrypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(JSON.stringify({ crv, kty, x, y })),
  )
  return Buffer.from(digest).toString('base64url')
}
