import { createHash } from 'node:crypto'

/** What a login is for: where the server is. A query may hold a secret, and says nothing of who answers. */
export function loginUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** Under which name a login is kept. Whoever sees the name learns no address from it. */
export function loginHash(url: string): string {
  return createHash('sha256').update(loginUrl(url)).digest('hex')
}
