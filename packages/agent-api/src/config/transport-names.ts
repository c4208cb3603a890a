export type Transport = 'stdio' | 'http' | 'sse'

/** Names that programs use for transports. */
const transports: Readonly<Record<string, Transport>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  remote: 'http',
  'streamable-http': 'http',
  streamable_http: 'http',
  streamablehttp: 'http',
  sse: 'sse',
}

/** Undefined for a transport that Ostler does not have. */
export function toTransport(name: unknown): Transport | undefined {
  const plain = typeof name === 'string' ? name.toLowerCase() : ''
  return Object.hasOwn(transports, plain) ? transports[plain] : undefined
}

/** Without a stated transport, only the end of the path gives a hint. */
export function guessRemoteTransport(url: string): 'http' | 'sse' {
  return /\/sse\/?(?:[?#]|$)/.test(url) ? 'sse' : 'http'
}
