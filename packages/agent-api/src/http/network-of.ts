import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { isLoopback } from '../base/loopback.ts'

/** The network of an address. Addresses other than public ones may reach services that the server must not access. */
export type Network = 'loopback' | 'link-local' | 'private' | 'public'

const networks: readonly (readonly [Network, BlockList])[] = [
  ['loopback', listOf(['127.0.0.0', 8], ['::', 128], ['::1', 128])],
  // Link-local: nearby devices, and services of a cloud provider.
  ['link-local', listOf(['169.254.0.0', 16], ['fe80::', 10])],
  [
    'private',
    listOf(
      ['0.0.0.0', 8],
      ['10.0.0.0', 8],
      ['100.64.0.0', 10],
      ['172.16.0.0', 12],
      ['192.0.0.0', 24],
      ['192.168.0.0', 16],
      ['198.18.0.0', 15],
      // Multicast and reserved addresses.
      ['224.0.0.0', 3],
      ['ff00::', 8],
      ['fc00::', 7],
      ['fec0::', 10],
    ),
  ],
]

const lookupMsMax = 5_000

/** The network of an IP address. The IPv4 lists also match `::ffff:10.0.0.1`. A translated address is that of the IPv4 host behind it. */
export function networkOf(address: string): Network {
  const translated = isIP(address) === 6 ? translatedAddress(address) : undefined
  if (translated !== undefined) return networkOf(translated)
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  return networks.find(([, list]) => list.check(address, family))?.[0] ?? 'public'
}

/** The last 32 bits of an address for a network without IPv4 (NAT64). */
function translatedAddress(address: string): string | undefined {
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname
  const found = /^\[64:ff9b::(?:([\da-f]{1,4}):)?([\da-f]{1,4})\]$/.exec(plain)
  if (found === null) return undefined
  const [high, low] = [found[1] ?? '0', found[2] ?? '0'].map((part) => Number.parseInt(part, 16))
  return [high, low].flatMap((part = 0) => [part >> 8, part & 0xff]).join('.')
}

/** The networks of a URL's host. Empty for an unknown host, to which a connection would fail as well. */
export async function networksOf(url: URL): Promise<ReadonlySet<Network>> {
  if (isLoopback(url.href)) return new Set(['loopback'])
  return new Set((await addressesOf(url)).map(networkOf))
}

/** The address behind a URL if it is in a private network, other than this machine. Otherwise undefined. */
export async function privateAddressOf(url: string): Promise<string | undefined> {
  if (!URL.canParse(url)) return undefined
  // For display only: the name is resolved again when connecting.
  return (await addressesOf(new URL(url))).find((address) => ['private', 'link-local'].includes(networkOf(address)))
}

async function addressesOf(url: URL): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return [host]
  const late = new Promise<[]>((resolve) => setTimeout(() => resolve([]), lookupMsMax).unref())
  const found = lookup(host, { all: true }).then((all) => all.map(({ address }) => address))
  return Promise.race([found.catch(() => []), late])
}

function listOf(...subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  // Not `isIP`, whose first use takes as long as loading a large file.
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, network.includes(':') ? 'ipv6' : 'ipv4')
  return list
}
