import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { isLoopback } from '../base/loopback.ts'

/** Where an address leads. In all but the public one things answer that were never meant for whoever names the address. */
export type Network = 'loopback' | 'link-local' | 'private' | 'public'

const networks: readonly (readonly [Network, BlockList])[] = [
  ['loopback', listOf(['127.0.0.0', 8], ['::', 128], ['::1', 128])],
  // Other people's devices, and a cloud's own services.
  ['link-local', listOf(['169.254.0.0', 16], ['fe80::', 10])],
  [
    'private',
    listOf(
      ['0.0.0.0', 8],
      ['10.0.0.0', 8],
      ['100.64.0.0', 10],
      ['172.16.0.0', 12],
      ['192.168.0.0', 16],
      ['198.18.0.0', 15],
      ['fc00::', 7],
      ['fec0::', 10],
    ),
  ],
]

const lookupMsMax = 5_000

/** Of an IP address. A list of IPv4 networks knows `::ffff:10.0.0.1`, too. */
export function networkOf(address: string): Network {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  return networks.find(([, list]) => list.check(address, family))?.[0] ?? 'public'
}

/** Of the host of a URL. None for a name that nobody knows: to connect will fail, too. */
export async function networksOf(url: URL): Promise<ReadonlySet<Network>> {
  if (isLoopback(url.href)) return new Set(['loopback'])
  return new Set((await addressesOf(url)).map(networkOf))
}

/** The address behind a URL when it is of somebody's private network, which this machine is not. Undefined for all others. */
export async function privateAddressOf(url: string): Promise<string | undefined> {
  if (!URL.canParse(url)) return undefined
  // The name is looked up again when it is connected: this is for a person's eyes.
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
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, isIP(network) === 6 ? 'ipv6' : 'ipv4')
  return list
}
