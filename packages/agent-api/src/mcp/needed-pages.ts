import { ProtocolError } from '@modelcontextprotocol/client'
import { OstlerError } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'
import { isEncrypted } from '../base/loopback.ts'
import type { Redactor } from '../redaction/redact.ts'
import type { PageQuestion } from '../messages/question.ts'
import { cleanText } from './sanitize.ts'

/** A web page that a server wants the person to visit before it runs a call. */
export type NeededPage = Omit<PageQuestion, 'kind' | 'server'>

const urlElicitationRequired = -32042
const pagesMax = 5
const urlCharsMax = 8_192
const idCharsMax = 500

/** The pages that a refused call needs. Empty for any other error. Such a call certainly did not run. */
export function neededPages(error: unknown, redactor: Redactor): readonly NeededPage[] {
  const cause = error instanceof OstlerError ? error.cause : error
  if (!(cause instanceof ProtocolError) || cause.code !== urlElicitationRequired) return []
  const listed =
    isRecord(cause.data) && Array.isArray(cause.data['elicitations'])
      ? cause.data['elicitations'].slice(0, pagesMax)
      : []
  return listed.filter(isRecord).flatMap(({ message, url, elicitationId }): NeededPage[] => {
    const page = webUrl(url)
    // A redacted URL would lead to another page.
    if (page === undefined || redactor.redact(page) !== page) return []
    return [
      { message: cleanText(message, redactor), url: page, elicitationId: toElicitationId(elicitationId) },
    ]
  })
}

/** Explains that a call was not run because the pages were not visited. */
export function pagesNotVisited(pages: readonly NeededPage[], cause: unknown): OstlerError {
  const lines = pages.map(({ message, url }) => `${url}${message === '' ? '' : ` (${message})`}`)
  const text = `the server wants the person to open a page first, so nothing was run. Call it again afterwards: ${lines.join(', ')}`
  return new OstlerError('mcp.needs_page', text, { cause })
}

/** Revision 2026-07-28 has no id, but an editor needs one. */
export function toElicitationId(given: unknown): string {
  return typeof given === 'string' && given !== '' && given.length <= idCharsMax ? given : crypto.randomUUID()
}

/** Only encrypted web pages are opened for a server. A user name in an address could look like the name of another host. */
export function webUrl(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > urlCharsMax) return undefined
  const url = URL.parse(text)
  return url !== null && isEncrypted(url) && url.username === '' && url.password === '' ? url.href : undefined
}
