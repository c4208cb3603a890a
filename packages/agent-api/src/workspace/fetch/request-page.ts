import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OstlerError } from '../../base/errors.ts'
import { formatBytes } from '../../base/quantities.ts'
import { onAbort } from '../../base/or-aborted.ts'
import { checkHost, lookupFor, parseUrl, type UrlRules } from './check-url.ts'

export interface FetchedPage {
  /** After redirects. */
  readonly url: URL
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
}

const pageBytesMax = 5 * 1024 * 1024
const redirectsMax = 5
const urlCharsShownMax = 2_000
const headers = {
  accept:
    'text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, image/*;q=0.5, */*;q=0.1',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': 'Ostler',
}

/** Requests a page and follows its redirects within its origin, because only this one was allowed. Sends no cookies and no credentials. */
export async function requestPage(text: string, rules: UrlRules, signal: AbortSignal): Promise<FetchedPage> {
  let url = parseUrl(text)
  checkHost(url, rules)
  for (let redirects = 0; ; redirects++) {
    const response = await send(url, rules, signal)
    const { statusCode: status = 0, headers } = response
    if (!isRedirect(status) || headers.location === undefined) {
      const body = await readBody(response, signal)
      return { url, status, contentType: headers['content-type'] ?? '', body }
    }
    response.destroy()
    if (redirects === redirectsMax)
      throw new OstlerError('fetch.redirects', `The page redirects more than ${redirectsMax} times.`)
    if (!URL.canParse(headers.location, url))
      throw new OstlerError('fetch.redirects', 'The page redirects to something that is not a URL.')
    const next = parseUrl(new URL(headers.location, url).href)
    checkHost(next, rules, url)
    if (next.origin !== url.origin) throw redirectedAway(next)
    url = next
  }
}

function redirectedAway({ href, origin }: URL): OstlerError {
  const shown = href.slice(0, urlCharsShownMax)
  const advice = `Nothing was fetched from ${origin}. To fetch it, call fetch_url with that address.`
  return new OstlerError('fetch.redirects', `The page redirects to another host: ${shown} ${advice}`)
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

function send(url: URL, rules: UrlRules, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    request(url, { headers, lookup: lookupFor(url, rules), signal })
      .once('response', resolve)
      .once('error', reject)
      .end()
  })
}

/** Counts the bytes after decompression. */
async function readBody(response: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  const body = decompress(response)
  using _aborting = onAbort(signal, () => body.destroy(signal.reason as Error))
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > pageBytesMax)
        throw new OstlerError('fetch.too_large', `The page is larger than ${formatBytes(pageBytesMax)}.`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    response.destroy()
  }
}

function decompress(response: IncomingMessage): Readable {
  const decoder = decoderFor(response.headers['content-encoding'])
  if (decoder === undefined) return response
  response.once('error', (error) => decoder.destroy(error))
  response.once('close', () => {
    if (!response.complete) decoder.destroy(new Error('the connection was closed'))
  })
  return response.pipe(decoder)
}

function decoderFor(encoding: string | undefined) {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      return undefined
  }
}
