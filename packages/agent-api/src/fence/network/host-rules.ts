import { isIP } from 'node:net'
import { isLoopback } from '../../base/loopback.ts'
import { networkOf } from '../../http/network-of.ts'
import { hostPattern } from '../fence.ts'

export interface HostTarget {
  /** In the spelling of `URL`, without the brackets of IPv6. */
  readonly host: string
  readonly port: number
}

/**
 * `named`: exactly this host, so it may be in a private network. `matched`: by a pattern, or by an answer. `unknown`: a person can allow it.
 * `refused`: only a setting can allow it.
 */
export type HostVerdict = 'named' | 'matched' | 'unknown' | 'refused'

/** The ports of the web. Others must be named. */
const webPorts: readonly number[] = [80, 443]

/** Undefined for anything but `HOST:PORT`, where 80 may be left out. */
export function parseTarget(authority: string): HostTarget | undefined {
  const url = URL.parse(`http://${authority}`)
  if (url === null || /[/?#@\\]/.test(authority)) return undefined
  // Names are the same with a dot at their end.
  return { host: url.hostname.replace(/^\[|\]$|\.$/g, ''), port: Number(url.port || 80) }
}

function parsePattern(text: string) {
  const [, star, name = '', port] = hostPattern.exec(text) ?? []
  const ports = port === undefined ? webPorts : [Number(port)]
  if (name === '*' && star === undefined) return { host: '', isExact: false, ports }
  const { host = '' } = parseTarget(name) ?? {}
  return host === '' ? undefined : { host, isExact: star === undefined, ports }
}

export function judgeHost(patterns: readonly string[], { host, port }: HostTarget): HostVerdict {
  const fitting = patterns
    .map(parsePattern)
    .filter(
      (each) => each?.ports.includes(port) && (each.isExact ? host === each.host : isBelow(host, each.host)),
    )
  if (fitting.some((each) => each?.isExact)) return 'named'
  if (isLocal(host)) return 'refused'
  if (fitting.length > 0) return 'matched'
  return webPorts.includes(port) ? 'unknown' : 'refused'
}

function isBelow(host: string, domain: string): boolean {
  return domain === '' || host.endsWith(`.${domain}`)
}

/** Names this machine, or an address in a network that is not public. Other names are checked when they are resolved. */
export function isLocal(host: string): boolean {
  return isIP(host) === 0 ? isLoopback(`http://${host}`) : networkOf(host) !== 'public'
}

/** As a person or a setting names it. */
export function shownHost({ host, port }: HostTarget): string {
  const name = isIP(host) === 6 ? `[${host}]` : host
  return webPorts.includes(port) ? name : `${name}:${port}`
}
