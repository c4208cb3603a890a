import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OstlerError } from '../../base/errors.ts'
import { onAbort } from '../../base/or-aborted.ts'
import type { RedirectListener } from './log-in.ts'

const address = '127.0.0.1'
const path = '/callback'
const requestMsMax = 10_000
const headerBytesMax = 16 * 1024

/** Waits for the redirect of a login, on this machine only. Accepts a single request. */
export async function openRedirectListener(port: number): Promise<RedirectListener> {
  // Few processes ever log in.
  const { createServer } = await import('node:http')
  const answer = Promise.withResolvers<URLSearchParams>()
  answer.promise.catch(() => undefined)
  let accepts: ((params: URLSearchParams) => boolean) | undefined
  let isOver = false
  const server = createServer(
    { maxHeaderSize: headerBytesMax, requestTimeout: requestMsMax, headersTimeout: requestMsMax },
    handle,
  )

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const params = isOver || accepts === undefined ? undefined : paramsOf(request, origin)
    if (params === undefined) return send(response, 404, 'Not found', 'This page does not exist.')
    isOver = true
    const isRight = accepts?.(params) === true
    // Wait until the page has been sent, because the listener closes afterwards.
    response.once('close', () => {
      if (isRight) answer.resolve(params)
      else
        answer.reject(
          new OstlerError('login.wrong_state', 'The browser returned from a different login. Try again.'),
        )
    })
    if (!isRight)
      return send(
        response,
        400,
        'Not logged in',
        'This page belongs to another login. You can close this tab.',
      )
    const isRefused = params.has('error')
    send(response, 200, isRefused ? 'Not logged in' : 'Thank you', 'You can close this tab.')
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(port, error)))
    server.listen({ port, host: address, exclusive: true }, resolve)
  })
  const origin = `http://${address}:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}${path}`,
    async receive(isRight, signal) {
      accepts = isRight
      const stop = () => answer.reject(signal.reason)
      using _aborting = onAbort(signal, stop)
      if (signal.aborted) stop()
      return await answer.promise
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Only accepts the expected request. Pages of other sites and rebound host names do not match. */
function paramsOf(
  { method, url = '', headers }: IncomingMessage,
  origin: string,
): URLSearchParams | undefined {
  const [asked, query = ''] = url.split('?', 2)
  return method === 'GET' && `http://${headers.host}` === origin && asked === path
    ? new URLSearchParams(query)
    : undefined
}

/** The page contains nothing from the request. */
function send(response: ServerResponse, status: number, title: string, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    connection: 'close',
  })
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Ostler</title><h1>${title}</h1><p>${text}</p></html>\n`,
  )
}

function cannotListen(port: number, error: NodeJS.ErrnoException): OstlerError {
  const why = error.code === 'EADDRINUSE' ? 'it is taken' : (error.code ?? error.message)
  return new OstlerError('login.cannot_listen', `Cannot listen on the port ${port} of ${address}: ${why}.`, {
    cause: error,
  })
}
