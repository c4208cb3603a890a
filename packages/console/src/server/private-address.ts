import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Networks in which things answer that were never meant for a program on this machine: other people's devices, and a cloud's own services. */
const privateNetworks = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6')

const lookupMsMax = 5_000

/**
 * The private address behind a URL, and undefined for all others, those of this machine among them. A name is looked up now and again when
 * it is connected, so this is for a person's eyes: what keeps a server's answers to itself is that they are shown to that person only.
 */
export async function privateAddressOf(url: string): Promise<string | undefined> {
  if (!URL.canParse(url)) return undefined
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host]
  return addresses.find(isPrivate)
}

function isPrivate(address: string): boolean {
  // `::` is this machine, and `::ffff:10.0.0.1` is 10.0.0.1: the list knows that one.
  return privateNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Of a name that nobody knows there is nothing to say; to connect will fail, too. */
async function addressesOf(name: string): Promise<string[]> {
  const late = new Promise<[]>((resolve) => setTimeout(() => resolve([]), lookupMsMax).unref())
  const found = lookup(name, { all: true }).then((all) => all.map(({ address }) => address))
  return Promise.race([found.catch(() => []), late])
}
