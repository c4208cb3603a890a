import { hashText } from './hash-text.ts'

/** The key of a login: the server's URL without its query. The query may contain a secret and does not identify the server. */
export function loginUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

export function loginHash(url: string): string {
  return hashText(loginUrl(url))
}
