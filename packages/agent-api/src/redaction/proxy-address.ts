import { looksSecret } from './secret-shapes.ts'
import { decoded } from './secret-spans.ts'

/** A scheme is not required, and a password may hold any character: the last `@` ends it. */
const address = /^([a-z][\w+.-]*:\/\/)?(?:([^]*)@)?/i

export function isProxyVariable(name: string): boolean {
  return /^(?:https?|all)_proxy$/i.test(name)
}

export function withoutProxyUser(value: string): string {
  return value.replace(address, '$1')
}

/** The password, and what a program sends of it: both parts together, in base64. A user without one may be a token. */
export function secretsOfProxy(value: string): string[] {
  const user = address.exec(value)?.[2] ?? ''
  const colon = user.indexOf(':')
  if (colon === -1) return looksSecret(user) ? [user, decoded(user)] : []
  const password = user.slice(colon + 1)
  return password === '' ? [] : [password, decoded(password), user, decoded(user)]
}
