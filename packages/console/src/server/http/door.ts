import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Who may come in: whoever opened the address that was printed. Its token is good for one time and is exchanged for a cookie, so that what
 * stays in a browser's history and in a log opens nothing.
 */
export interface Door {
  readonly token: string
  /** The cookie to set. Undefined when the token is wrong or was used before. */
  enter(token: string): string | undefined
  isInside(cookies: string | undefined): boolean
}

const secretBytes = 32

/** Cookies do not know ports: the name keeps two consoles apart. */
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

/** All of that name: another program on this machine may have set one, too, and must not lock the person out. */
function valuesOf(cookies: string, name: string): string[] {
  return cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}

/** Takes the same time whatever is given, and tells nothing of its length. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
