import type { Strike } from '@ostler/agent-api/internal'
import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sendEvents } from './event-stream.ts'
import type { Limits } from './limits.ts'
import { type Reply, requestError } from './route.ts'

interface ReplyOptions {
  readonly limits: Limits
  /** Redacts the secrets of all values that are sent. */
  readonly strike: Strike
  /** Counts the open streams. */
  readonly open: { streams: number }
}

export function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  text: string | Buffer,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, {
    ...securityHeaders,
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(isHead(response) ? undefined : text)
}

function isHead({ req }: ServerResponse): boolean {
  return req.method === 'HEAD'
}

export function sendJson(response: ServerResponse, status: number, value: unknown, strike: Strike): void {
  const text = JSON.stringify(strike(value)) ?? 'null'
  sendText(response, status, 'application/json; charset=utf-8', text)
}

/** Settles when the reply has been sent, or the client has disconnected. */
export async function sendReply(
  response: ServerResponse,
  reply: Reply,
  options: ReplyOptions,
): Promise<void> {
  const { limits, strike, open } = options
  switch (reply.type) {
    case 'json':
      return sendJson(response, reply.status, reply.value, strike)
    case 'lines': {
      takePlace(open, limits.streamsMax, response)
      begin(response, 'application/x-ndjson; charset=utf-8')
      for await (const line of reply.lines) {
        if (response.destroyed) return
        if (!response.write(`${JSON.stringify(strike(line))}\n`)) await drained(response)
      }
      response.end()
      return
    }
    case 'download': {
      begin(response, reply.contentType, { 'Content-Disposition': `attachment; filename="${reply.name}"` })
      if (isHead(response)) return void response.end()
      // A client that stops reading also ends the producer.
      await pipeline(Readable.from(reply.pieces), response).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
      })
      return
    }
    case 'events':
      if (isHead(response)) return sendText(response, 200, 'application/x-ndjson; charset=utf-8', '')
      takePlace(open, limits.streamsMax, response)
      begin(response, 'application/x-ndjson; charset=utf-8')
      sendEvents(response, reply.source, limits, strike)
      if (!response.closed) await once(response, 'close')
  }
}

function begin(response: ServerResponse, type: string, headers: OutgoingHttpHeaders = {}): void {
  response.writeHead(200, { ...securityHeaders, 'Content-Type': type, ...headers })
  response.flushHeaders()
}

function takePlace(open: ReplyOptions['open'], max: number, response: ServerResponse): void {
  if (open.streams >= max)
    throw requestError(
      503,
      'console.too_many',
      `The limit of ${max} open streams is reached. Close a window of the console.`,
    )
  open.streams++
  response.once('close', () => open.streams--)
}

async function drained(response: ServerResponse): Promise<void> {
  const stop = new AbortController()
  await Promise.race([once(response, 'drain', stop), once(response, 'close', stop)]).finally(() =>
    stop.abort(),
  )
}

/**
 * Only the page's own code runs. Content from servers and models can neither run code nor send requests. `frame-src` also binds an app in
 * its frame: it can navigate nowhere else.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  'media-src data:',
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Sent with every reply. */
const securityHeaders: OutgoingHttpHeaders = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}
