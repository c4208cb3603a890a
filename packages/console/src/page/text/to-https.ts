import { visible } from './visible.ts'

/** The address as the browser reads it, so that what is shown is what opens. Undefined if it is not https. */
export function toHttps(text: string): string | undefined {
  if (visible(text) !== text || !URL.canParse(text)) return undefined
  const { protocol, href, username, password } = new URL(text)
  // A user name before the host is used to deceive.
  return protocol === 'https:' && username === '' && password === '' ? href : undefined
}
