import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { OstlerError, type Logger, type Redactor } from '@ostler/agent-api'
import { messageOf, strikeWith } from '@ostler/agent-api/internal'
import type { Entered } from '../../api.ts'
import {
  appFrame,
  appFrameHeaders,
  appFramePath,
  appProbe,
  appProbeHeaders,
  appProbePath,
} from './app-frame.ts'
import { checkRequest } from './check-request.ts'
import { createDoor } from './door.ts'
import { isOfThisUser } from './is-of-this-user.ts'
import { limits as defaultLimits, type Limits } from './limits.ts'
import { noticePage, noticeHeaders } from './notice-page.ts'
import { openAddress, ownHosts } from './own-hosts.ts'
import { hasBody, readJsonBody } from './read-body.ts'
import { matchRoute, requestError, type Route } from './route.ts'
import { keepRoom } from './keep-room.ts'
import { sendJson, sendReply, sendText } from './send-reply.ts'
import { findFile, type StaticFile, type StaticFiles } from './static-files.ts'
import { toApiError } from './to-api-error.ts'

export interface HttpServerOptions {
  readonly address: string
  /** 0 picks a free port. A port in use is an error: the person must not open another program's page. */
  readonly port: number
  readonly routes: readonly Route[]
  readonly files: StaticFiles
  readonly logger: Logger
  readonly redactor: Redactor
  /** Answer only processes of this user: others can read the address where it is passed to a browser. */
  readonly isForThisUser?: boolean
  readonly limits?: Partial<Limits>
}

export interface HttpServer extends AsyncDisposable {
  readonly port: number
  /** The address with the one-time token. */
  readonly url: string
}

/** A command that a person confirms must be shown in full. */
const commandFields = new Set(['commandLine', 'command', 'args'])

const htmlType = 'text/html; charset=utf-8'

/** Serves the page, and its data to the browser that presented the token. */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { address, routes, files, logger, redactor } = options
  const limits: Limits = { ...defaultLimits, ...options.limits }
  const open = { streams: 0 }
  const strike = strikeWith(redactor, commandFields)
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: limits.requestMsMax,
      requestTimeout: limits.requestMsMax,
      connectionsCheckingInterval: Math.min(limits.requestMsMax / 2, 5_000),
      // `checkRequest` handles it, so that the reply has our headers.
      requireHostHeader: false,
    },
    (request, response) => {
      // A client that disconnects must not end the process.
      response.on('error', () => undefined)
      request.on('error', () => undefined)
      answer(request, response).catch((error: unknown) => fail(request, response, error))
    },
  )
  const room = keepRoom(limits.connectionsMax)
  const checked = new WeakMap<Socket, Promise<boolean>>()
  server.on('connection', room.add)
  server.on('upgrade', (_request, socket) => refuseSocket(socket))
  server.on('connect', (_request, socket) => refuseSocket(socket))
  server.on('clientError', (error, socket) => refuseMalformed(error, socket))

  const port = await listen()
  const hosts = ownHosts(address, port)
  const door = createDoor()
  redactor.add(door.token)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: target = '' } = request
    const refusal = checkRequest({ method, target, rawHeaders: request.rawHeaders }, hosts, limits.headersMax)
    // The body is not read, so the connection cannot be reused.
    if (refusal !== undefined) {
      response.setHeader('Connection', 'close')
      if (refusal.allow !== undefined) response.setHeader('Allow', refusal.allow)
      throw requestError(refusal.status, refusal.code, refusal.message)
    }
    if (!(await isAllowed(request.socket))) throw otherUser()
    const [path, search] = splitTarget(target)
    if (path === '/api/enter' && method === 'POST') return enter(request, response)
    const isInside = door.isInside(request.headers.authorization)
    if (isInside) room.keep(request.socket)
    else if (path.startsWith('/api/')) throw closed()

    const isRead = method === 'GET' || method === 'HEAD'
    if (path === appFramePath && isRead) return sendText(response, 200, htmlType, appFrame, appFrameHeaders)
    if (path === appProbePath && isRead) return sendText(response, 200, htmlType, appProbe, appProbeHeaders)
    const file = findFile(files, path)
    if (file !== undefined) return sendFile(request, response, file)
    const match = matchRoute(routes, method, path)
    if (match.type === 'unknown') {
      const page = files.get('/')
      // The page itself says that there is no such page, and links to others.
      if (page !== undefined && wantsPage(request)) return sendText(response, 404, page.type, page.content)
      throw requestError(404, 'console.unknown_path', 'Not found.')
    }
    if (match.type === 'wrong-method') {
      response.setHeader('Allow', match.allow.join(', '))
      throw requestError(405, 'console.method', `This address supports only ${match.allow.join(', ')}.`)
    }
    if (isRead && hasBody(request))
      throw requestError(400, 'console.bad_request', 'A GET request must not have a body.')
    const body = await readJsonBody(request, limits.bodyBytesMax)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const reply = await match.handle({
      params: match.params,
      query: new URLSearchParams(search),
      body,
      signal: gone.signal,
    })
    await sendReply(response, reply, { limits, strike, open })
  }

  /** Looks once per connection, before anything is done for it. */
  async function isAllowed(socket: Socket): Promise<boolean> {
    if (options.isForThisUser !== true) return true
    const result = checked.get(socket) ?? isOfThisUser(socket)
    checked.set(socket, result)
    return result
  }

  async function enter(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJsonBody(request, limits.bodyBytesMax)
    const token = typeof body === 'object' && body !== null && 'token' in body ? String(body.token) : ''
    // Nobody would get the key.
    if (response.closed) return
    const key = door.enter(token)
    if (key === undefined) throw closed()
    sendJson(response, 200, { key } satisfies Entered, strike)
  }

  /** Never throws: an error ends only its own request. */
  function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    // The browser has left, and its request was given up.
    if (response.closed && error instanceof Error && (error.name === 'AbortError' || !request.complete))
      return
    try {
      const { status, body } = toApiError(error)
      if (status === 500)
        logger.error('a request to the console failed', {
          error: error instanceof Error ? error.stack : messageOf(error),
        })
      if (response.headersSent) return void response.destroy()
      // The rest of an unread body would be parsed as the next request.
      if (!request.complete) response.setHeader('Connection', 'close')
      if (wantsPage(request))
        sendText(
          response,
          status,
          htmlType,
          noticePage('Ostler console', strike(body.message)),
          noticeHeaders,
        )
      else sendJson(response, status, body, strike)
    } catch (failure) {
      logger.error('a reply of the console failed', { error: messageOf(failure) })
      response.destroy()
    }
  }

  function listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, options)))
      server.listen(
        { host: address === 'localhost' ? '127.0.0.1' : address, port: options.port, exclusive: true },
        () => {
          server.removeAllListeners('error')
          server.on('error', (error) =>
            logger.error('the console server failed', { error: messageOf(error) }),
          )
          resolve((server.address() as AddressInfo).port)
        },
      )
    })
  }

  return {
    port,
    url: `http://${openAddress(address, port)}/enter?token=${door.token}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

function closed(): OstlerError {
  return requestError(
    401,
    'console.closed',
    'This browser has no access to the console: its address works only once. Run `ostler console` again.',
  )
}

function otherUser(): OstlerError {
  return requestError(
    403,
    'console.other_user',
    'This console belongs to another user of this computer, or the system does not show whose program this is. To open it from here anyway, start it with `ostler console --allow-other-users`.',
  )
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { content, type, cache }: StaticFile,
): void {
  if (request.method === 'GET' || request.method === 'HEAD')
    return sendText(response, 200, type, content, { 'Cache-Control': cache })
  response.setHeader('Allow', 'GET, HEAD')
  throw requestError(405, 'console.method', 'This address supports only GET, HEAD.')
}

/** True for a person who typed an address, false for code that requests data. */
function wantsPage({ headers, method, url }: IncomingMessage): boolean {
  return (
    method === 'GET' && headers.accept?.includes('text/html') === true && url?.startsWith('/api/') === false
  )
}

function splitTarget(target: string): [string, string] {
  const question = target.indexOf('?')
  return question === -1 ? [target, ''] : [target.slice(0, question), target.slice(question + 1)]
}

function cannotListen(error: NodeJS.ErrnoException, { address, port }: HttpServerOptions): OstlerError {
  const why =
    error.code === 'EADDRINUSE'
      ? `port ${port} of ${address} is already in use. Choose another --port, or omit it to use any free port`
      : messageOf(error)
  return new OstlerError('console.cannot_listen', `The console cannot start: ${why}.`, { cause: error })
}

/** The console supports no protocol upgrades. */
function refuseSocket(socket: Duplex): void {
  socket.on('error', () => undefined)
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () =>
    socket.destroy(),
  )
}

const malformed: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  socket.on('error', () => undefined)
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const status = malformed[error.code ?? ''] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy())
}
