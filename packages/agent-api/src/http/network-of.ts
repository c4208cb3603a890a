import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { isLoopback } from '../base/loopback.ts'
import { atMost } from '../base/or-aborted.ts'

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
    ),
  ],
]

const lookupMsMax = 5_000

/** The network of an IP address. An IPv6 address that stands for an IPv4 host is in the network of that host. */
export function networkOf(address: string): Network {
  const isIPv6 = isIP(address) === 6
  const listed = networks.find(([, list]) => list.check(address, isIPv6 ? 'ipv6' : 'ipv4'))?.[0]
  if (listed !== undefined || !isIPv6) return listed ?? 'public'
  const groups = groupsOf(address)
  const embedded = embeddedIPv4(groups)
  if (embedded !== undefined) return networkOf(embedded)
  // 2000::/3 is all that is routed globally.
  return (groups[0] ?? 0) >> 13 === 1 ? 'public' : 'private'
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = plain
    .split('::')
    .map((part) => part.split(':').flatMap((group) => (group === '' ? [] : [parseInt(group, 16)])))
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

/** Addresses that end in an IPv4 address: compatible, mapped, translated (SIIT), and for networks without IPv4 (NAT64). */
const endsInIPv4 = /^(?:0:0:0:0:(?:0:0|0:ffff|ffff:0)|64:ff9b:0:0:0:0):/

function embeddedIPv4(groups: readonly number[]): string | undefined {
  if (endsInIPv4.test(groups.map((group) => group.toString(16)).join(':'))) return toIPv4(groups.slice(6))
  // 6to4
  if (groups[0] === 0x2002) return toIPv4(groups.slice(1, 3))
  // Teredo, which inverts the address.
  if (groups[0] === 0x2001 && groups[1] === 0) return toIPv4(groups.slice(6).map((group) => group ^ 0xffff))
  return undefined
}

function toIPv4(groups: readonly number[]): string {
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join('.')
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
  return (await addressesOf(new URL(url))).find((address) =>
    ['private', 'link-local'].includes(networkOf(address)),
  )
}

async function addressesOf(url: URL): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return [host]
  const found = lookup(host, { all: true }).then((all) => all.map(({ address }) => address))
  return atMost(
    lookupMsMax,
    found.catch(() => []),
    [],
  )
}

function listOf(...subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  // Not `isIP`, whose first use takes as long as loading a large file.
  for (const [network, prefix] of subnets)
    list.addSubnet(network, prefix, network.includes(':') ? 'ipv6' : 'ipv4')
  return list
}
