import { isIP, type LookupFunction } from 'node:net'
import { OstlerError } from '../../base/errors.ts'
import { isEncrypted, isLoopback } from '../../base/loopback.ts'
import { checkedLookup } from '../../http/checked-lookup.ts'
import { networkOf, type Network } from '../../http/network-of.ts'

export interface UrlRules {
  /** Hosts in private networks that may be fetched from. */
  readonly allowedHosts: readonly string[]
}

const urlCharsMax = 8_000

/** Parses an address that a model or a server chose. Throws `fetch.refused_address`. */
export function parseUrl(text: string): URL {
  const shown = text.slice(0, 200)
  if (!URL.canParse(text)) throw refused(shown, 'it is not a URL')
  const url = new URL(text)
  if (text.length > urlCharsMax) throw refused(shown, `it is longer than ${urlCharsMax} characters`)
  if (url.username !== '' || url.password !== '')
    throw refused(url.host, 'it contains a user name or password')
  if (!isEncrypted(url)) throw refused(shown, 'only https is allowed, or http on this machine')
  url.hash = ''
  return url
}

/**
 * Throws if the host of the URL is an address in a network that must not be reached. A name is checked when it is resolved, by `lookupFor`.
 * `from`: the page that redirected here.
 */
export function checkHost(url: URL, { allowedHosts }: UrlRules, from?: URL): void {
  const host = hostOf(url)
  if (allowedHosts.includes(host)) return
  if (isLoopback(url.href)) {
    if (from !== undefined && !isLoopback(from.href))
      throw refused(url.host, `${from.host} redirects to this machine`)
    return
  }
  if (isIP(host) !== 0) checkAddress(host, url, 'public')
}

/** A resolver for one URL that only returns addresses that may be reached. */
export function lookupFor(url: URL, { allowedHosts }: UrlRules): LookupFunction {
  const isFree = allowedHosts.includes(hostOf(url))
  const expected: Network = isLoopback(url.href) ? 'loopback' : 'public'
  return checkedLookup((address) => {
    if (!isFree) checkAddress(address, url, expected)
  })
}

function checkAddress(address: string, url: URL, expected: Network): void {
  const network = networkOf(address)
  if (network !== expected) throw refused(url.host, `it leads ${placeOf[network]}`)
}

const placeOf: Readonly<Record<Network, string>> = {
  public: 'to another machine',
  loopback: 'to this machine',
  'link-local': 'to a link-local network',
  private: 'to a private network',
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function refused(shown: string, why: string): OstlerError {
  return new OstlerError('fetch.refused_address', `${JSON.stringify(shown)} was not fetched: ${why}.`)
}
