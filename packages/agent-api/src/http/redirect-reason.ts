import { stripHiddenLine } from '../base/strip-hidden.ts'

const addressCharsShownMax = 200

/** Why a redirect is not followed: a person named the first address only, and a key must not reach another. Undefined for other responses. */
export function redirectReason(url: URL | string, { status, headers }: Response): string | undefined {
  const location = headers.get('location')
  if (status < 300 || status >= 400 || location === null) return undefined
  const target = URL.parse(location, url)?.href ?? location
  return `it redirects to ${shownAddress(target)}. If you trust that address, use it instead`
}

/** An address that another program gave, in one line for a person. */
export function shownAddress(address: string): string {
  return stripHiddenLine(address).slice(0, addressCharsShownMax)
}
