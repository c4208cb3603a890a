import type { FetchLike } from '@modelcontextprotocol/client'
import { OstlerError } from '../../base/errors.ts'
import { isEncrypted } from '../../base/loopback.ts'
import { networksOf, type Network } from '../../http/network-of.ts'
import { createGuardedFetch } from '../transports/guarded-fetch.ts'

const requestMsMax = 15_000

/**
 * A `fetch` for addresses that a server names. They are untrusted: they must be encrypted, and a public server's must not lead to this
 * machine or its networks. A host name might resolve differently when connecting; the host then still needs a valid certificate.
 */
export function createAuthFetch(serverUrl: string, signal?: AbortSignal): FetchLike {
  const guardedFetch = createGuardedFetch()
  return async (url, init) => {
    await checkAddress(new URL(url), serverUrl)
    const signals = [AbortSignal.timeout(requestMsMax), signal, init?.signal].filter(
      (each) => each !== undefined && each !== null,
    )
    // Redirects are followed through this function, so that they are also checked.
    return guardedFetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) })
  }
}

/** Throws `login.refused_address` for an address that must not be requested or opened in a browser. */
export async function checkAddress(url: URL, serverUrl: string): Promise<void> {
  if (!isEncrypted(url)) throw refused(url, 'it is not an https address')
  if (url.username !== '' || url.password !== '') throw refused(url, 'it contains a user name or password')
  const server = new URL(serverUrl)
  if (url.origin === server.origin) return
  const foreign = foreignNetwork(await networksOf(url), await networksOf(server))
  if (foreign !== undefined) throw refused(url, `it leads ${placeOf[foreign]}, and the server is not there`)
}

type InnerNetwork = Exclude<Network, 'public'>

/**
 * The inner network of an address that its server must not name: one that the server is not in. A public
 * server may list private addresses under its own name, so a shared network counts only if the address is
 * public as well.
 */
export function foreignNetwork(
  target: ReadonlySet<Network>,
  server: ReadonlySet<Network>,
): InnerNetwork | undefined {
  const isInside = target.has('public') || !server.has('public')
  return [...target].find(
    (network): network is InnerNetwork => network !== 'public' && !(isInside && server.has(network)),
  )
}

const placeOf: Readonly<Record<InnerNetwork, string>> = {
  loopback: 'to this machine',
  'link-local': 'to a link-local network',
  private: 'to a private network',
}

function refused(url: URL, why: string): OstlerError {
  const shown = `${url.protocol}//${url.host}${url.pathname}`.slice(0, 200)
  return new OstlerError(
    'login.refused_address',
    `The server names ${shown} for its login, which is rejected: ${why}.`,
  )
}
