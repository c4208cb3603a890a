import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Admits the browser that opened the printed address. Its token works once and is exchanged for a cookie, so that a URL in a browser
 * history or a log is useless.
 */
export interface Door {
  readonly token: string
  /** The cookie to set. Undefined if the token is wrong or already used. */
  enter(token: string): string | undefined
  isInside(cookies: string | undefined): boolean
}

const secretBytes = 32

/** Cookies ignore ports, so the cookie's name contains the port. */
export function createDoor(port: number): Door {
  const token = randomBytes(secretBytes).toString('base64url')
  const key = randomBytes(secretBytes).toString('base64url')
  const cookie = `ostler-console-${port}`
  let isUsed = false
  return {
    token,
    enter(given) {
      if (isUsed || !isEqual(given, token)) return undefined
      isUsed = true
      return `${cookie}=${key}; Path=/; HttpOnly; SameSite=Strict`
    },
    isInside: (cookies) => valuesOf(cookies ?? '', cookie).some((value) => isEqual(value, key)),
  }
}

/** All cookies of that name. Another local program may have set one, which must not lock the person out. */
function valuesOf(cookies: string, name: string): string[] {
  return cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}

/** Compares in constant time, without revealing the length. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
