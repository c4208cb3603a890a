import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Admits the page that presents the token of the printed address. The token works once and is exchanged for a key, so that a URL in a
 * browser history or a log is useless.
 */
export interface Door {
  readonly token: string
  /** The key that the page sends with each request. Undefined if the token is wrong or already used. */
  enter(token: string): string | undefined
  /** Takes the `Authorization` header of a request. */
  isInside(authorization: string | undefined): boolean
}

const secretBytes = 32

/** A browser sends a cookie to every port of this machine. A page keeps its key for its own port. */
export function createDoor(): Door {
  const token = randomBytes(secretBytes).toString('base64url')
  const key = randomBytes(secretBytes).toString('base64url')
  let isUsed = false
  return {
    token,
    enter(given) {
      if (isUsed || !isEqual(given, token)) return undefined
      isUsed = true
      return key
    },
    isInside: (authorization = '') => isEqual(authorization, `Bearer ${key}`),
  }
}

/** Compares in constant time, without revealing the length. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
