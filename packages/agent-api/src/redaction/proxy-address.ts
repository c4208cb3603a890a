import { looksSecret } from './secret-shapes.ts'
import { decoded } from './secrets-in-commands-and-text.ts'

/** The scheme is optional, and a password may contain any character, so the last `@` ends it. */
const address = /^([a-z][\w+.-]*:\/\/)?(?:([^]*)@)?/i

export function isProxyVariable(name: string): boolean {
  return /^(?:https?|all)_proxy$/i.test(name)
}

export function withoutProxyUser(value: string): string {
  return value.replace(address, '$1')
}

/**
 * Returns the secrets in a proxy address: the password and `user:password`, which programs send in base64. A user without a password may be
 * a token.
 */
export function secretsOfProxy(value: string): string[] {
  const user = address.exec(value)?.[2] ?? ''
  const colon = user.indexOf(':')
  if (colon === -1) return looksSecret(user) ? [user, decoded(user)] : []
  const password = user.slice(colon + 1)
  return password === '' ? [] : [password, decoded(password), user, decoded(user)]
}
