import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

const wildcards = new Set(['0.0.0.0', '::'])

export function isLoopbackAddress(address: string): boolean {
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

export function machineAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((interfaces = []) =>
    interfaces.map(({ address }) => address),
  )
}

/** All `HOST:PORT` values that reach this server. Addresses only, because DNS names can point anywhere. */
export function ownHosts(address: string, port: number): ReadonlySet<string> {
  const local = ['127.0.0.1', 'localhost']
  const addresses = wildcards.has(address)
    ? [...local, ...machineAddresses()]
    : address === '127.0.0.1' || address === 'localhost'
      ? local
      : [address]
  return new Set(addresses.map((own) => hostOf(own, port)))
}

/** The `HOST:PORT` of the address a person opens. */
export function openAddress(address: string, port: number): string {
  return hostOf(wildcards.has(address) || address === 'localhost' ? '127.0.0.1' : address, port)
}

function hostOf(address: string, port: number): string {
  return `${isIP(address) === 6 ? `[${address}]` : address}:${port}`
}
