import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  withDpop,
  type AuthProvider,
  type DpopSession,
  type Transport,
} from '@modelcontextprotocol/client'
import { OstlerError } from '../../base/errors.ts'
import { headerName, headerValue } from '../../base/header.ts'
import { isLoopback } from '../../base/loopback.ts'
import type { HttpServerConfig } from '../server-config.ts'
import { createGuardedFetch, type OnTooLarge } from './guarded-fetch.ts'
import { localFailure } from './local-failure.ts'
import type { PendingRequests } from './pending-requests.ts'
import { atMost } from '../../base/or-aborted.ts'

const goodbyeMs = 1_000

/** The part of a login that each request needs. */
export interface RequestLogin {
  readonly auth: Required<AuthProvider>
  /** Signs requests, if the tokens are bound to a key. Loads the code for that only then. */
  readonly proofs: () => Promise<DpopSession | undefined>
}

interface HttpTransportOptions {
  readonly config: HttpServerConfig
  readonly pending: PendingRequests
  readonly login: RequestLogin | undefined
}

export function createHttpTransport(options: HttpTransportOptions): Transport {
  const transport: StreamableHTTPClientTransport = new StreamableHTTPClientTransport(
    checkedUrl(options.config),
    requestOptions(options, () => transport),
  )
  const close = transport.close.bind(transport)
  let closing: Promise<void> | undefined
  transport.close = () => {
    // Tells the server that it may discard the session.
    closing ??= atMost(
      goodbyeMs,
      transport.terminateSession().catch(() => undefined),
      undefined,
    ).then(close)
    return closing
  }
  return transport
}

export function createSseTransport(options: HttpTransportOptions): Transport {
  const transport: SSEClientTransport = new SSEClientTransport(
    checkedUrl(options.config),
    requestOptions(options, () => transport),
  )
  const { promise: closed, reject: giveUp } = Promise.withResolvers<never>()
  closed.catch(() => undefined)
  const start = transport.start.bind(transport)
  // The original would wait for the server's first event even after being closed.
  transport.start = () => Promise.race([start(), closed])
  const close = transport.close.bind(transport)
  let closing: Promise<void> | undefined
  transport.close = () => {
    giveUp(new OstlerError('mcp.connection_lost', 'the connection was closed'))
    closing ??= Promise.resolve().then(close)
    return closing
  }
  return transport
}

function requestOptions({ config, pending, login }: HttpTransportOptions, transport: () => Transport) {
  const guarded = createGuardedFetch(failTooLarge(pending, transport))
  return {
    // Signs each request of a login whose tokens are bound to a key.
    fetch: login === undefined ? guarded : withDpop(login.proofs, login.auth.token)(guarded),
    requestInit: { headers: checkedHeaders(config) },
    authProvider: login?.auth,
  }
}

/** Fails the request at once. The SDK would only report a broken stream, or request the rest. */
function failTooLarge(pending: PendingRequests, transport: () => Transport): OnTooLarge {
  return (requestId, error) => {
    // A standalone stream belongs to no request. If exactly one request is open, the answer is for that one.
    const id = requestId ?? pending.only()
    if (id !== undefined) transport().onmessage?.(localFailure(id, error.code, error.message))
  }
}

function checkedUrl(config: HttpServerConfig): URL {
  const url = URL.parse(config.url)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new OstlerError('mcp.invalid_url', 'the URL of the server is not an http or https URL')
  }
  if (url.username !== '' || url.password !== '') {
    throw new OstlerError(
      'mcp.invalid_url',
      'the URL of the server contains a user name or password; put them in a header',
    )
  }
  if (url.protocol === 'http:' && !isLoopback(url.href) && config.allowInsecureHttp !== true) {
    throw new OstlerError(
      'mcp.insecure_url',
      `plain http to ${url.hostname} is not encrypted; use https or set allowInsecureHttp`,
    )
  }
  return url
}

/** Checked here, because the platform's error message quotes the value. */
function checkedHeaders(config: HttpServerConfig): Record<string, string> {
  for (const [name, value] of Object.entries(config.headers)) {
    if (!headerName.test(name))
      throw new OstlerError('mcp.invalid_header', 'a header of the server has an invalid name')
    if (!headerValue.test(value)) {
      throw new OstlerError(
        'mcp.invalid_header',
        `the value of the header ${name} contains invalid characters`,
      )
    }
  }
  return { ...config.headers }
}
