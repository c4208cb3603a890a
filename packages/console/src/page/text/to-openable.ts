import { visible } from './visible.ts'

/** The address as the browser reads it, so that what is shown is what opens. Undefined if it is not https. */
export function toHttps(text: string): string | undefined {
  if (visible(text) !== text || !URL.canParse(text)) return undefined
  const { protocol, href, username, password } = new URL(text)
  // A user name before the host is used to deceive.
  return protocol === 'https:' && username === '' && password === '' ? href : undefined
}

/** The address of a page that may be a link: https, or http on this computer. Undefined for any other. */
export function toOpenable(text: string): string | undefined {
  return toHttps(text) ?? toOwnHttp(text)
}

function toOwnHttp(text: string): string | undefined {
  const url = visible(text) === text ? URL.parse(text) : null
  if (url === null || url.protocol !== 'http:' || url.username !== '' || url.password !== '') return undefined
  return /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(url.hostname) ? url.href : undefined
}

export const notOpenable =
  'The address is not https, or has a name or a password in it, so it is not a link. If you trust it, open it yourself.'
