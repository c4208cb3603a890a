/** True if nobody on the way can read what is sent: https, or http on this machine. */
export function isEncrypted({ protocol, href }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(href))
}

/** True if the address belongs to this machine. `URL` has already normalized every spelling of 127.0.0.1. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  )
}
