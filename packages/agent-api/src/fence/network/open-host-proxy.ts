import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, isIP, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OstlerError } from '../../base/errors.ts'
import { checkedLookup } from '../../http/checked-lookup.ts'
import { networkFailureOf } from '../../http/network-failure.ts'
import type { HostAccess } from './host-access.ts'
import { isLocal, parseTarget, shownHost, type HostTarget } from './host-rules.ts'

const connectionsMax = 128
const headBytesMax = 16 * 1024
const headMsMax = 10_000
const connectMsMax = 20_000

export interface HostProxy {
  /** Of its socket, which is bound into the fence. */
  readonly path: string
  close(): void
}

/**
 * A proxy for the programs in one fence: HTTP, and tunnels by CONNECT. It connects to an address that was checked, never to a private one behind
 * a public name. Listens at once. Where its socket cannot be, the fence has no network.
 */
export function openHostProxy(access: HostAccess): HostProxy {
  const folder = mkdtempSync(join(tmpdir(), 'ostler-'))
  const path = join(folder, 'proxy')
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.on('error', () => undefined).once('close', () => open.delete(socket))
    void serve(socket, access).catch((error: unknown) => socket.end(toRefusal(error)))
  })
  server.maxConnections = connectionsMax
  server.on('error', () => undefined).listen(path)
  return {
    path,
    close() {
      access[Symbol.dispose]()
      server.close()
      for (const socket of open) socket.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Serves one request. What follows it goes to the same host, which has been allowed. */
async function serve(socket: Socket, access: HostAccess): Promise<void> {
  const { target, isTunnel, head } = parseHead(await readHead(socket))
  const verdict = target && (await access.admit(target))
  if (target === undefined) throw new OstlerError('fence.bad_request', 'not a request for a proxy')
  if (verdict === 'refused')
    throw new OstlerError('fence.refused_host', `${shownHost(target)} is not allowed by the sandbox`)
  const upstream = await connectTo(target, verdict === 'named')
  if (isTunnel) socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
  else upstream.write(head)
  // Each direction ends by itself, so that an answer arrives whole although its server has closed.
  socket.pipe(upstream).pipe(socket)
  upstream.on('error', () => socket.destroy())
  if (socket.destroyed) upstream.destroy()
  else socket.once('close', () => upstream.destroy())
}

/** The lines before the body, which stays in the socket. */
function readHead(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0)
    const late = () => socket.destroy()
    socket.setTimeout(headMsMax, late).on('data', function take(chunk: Buffer) {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0 && head.length <= headBytesMax) return
      socket.off('data', take).off('timeout', late).setTimeout(0).pause()
      if (end < 0) return reject(new OstlerError('fence.bad_request', 'its headers are too large'))
      socket.unshift(head.subarray(end + 4))
      resolve(head.toString('latin1', 0, end))
    })
  })
}

/** Headers for the proxy, and those that are written anew. */
const replacedHeader = /^(?:proxy-[\w-]*|connection|keep-alive|upgrade|host):/i

/** A request that is not a tunnel names the whole address. The server of that address gets it as its own, and closes after its answer. */
function parseHead(text: string) {
  const [request = '', ...headers] = text.split('\r\n')
  const [method = '', address = ''] = request.split(' ')
  if (method === 'CONNECT') return { target: parseTarget(address), isTunnel: true, head: '' }
  const url = URL.parse(address)
  const target = url?.protocol === 'http:' ? parseTarget(url.host) : undefined
  const kept = headers.filter((line) => !replacedHeader.test(line))
  const lines = [
    `${method} ${url?.pathname}${url?.search} HTTP/1.1`,
    `Host: ${url?.host}`,
    'Connection: close',
    ...kept,
  ]
  return { target, isTunnel: false, head: `${lines.join('\r\n')}\r\n\r\n` }
}

function connectTo(target: HostTarget, mayBeLocal: boolean): Promise<Socket> {
  const { host, port } = target
  const check = (address: string) => {
    if (!mayBeLocal && isLocal(address))
      throw new OstlerError('fence.refused_host', `${shownHost(target)} leads to a private network`)
  }
  // Nothing is looked up for an address.
  if (isIP(host) !== 0) check(host)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: checkedLookup(check), timeout: connectMsMax })
    const late = () => socket.destroy(Object.assign(new Error('late'), { code: 'ETIMEDOUT' }))
    socket.once('timeout', late).once('error', reject)
    socket.once('connect', () => {
      socket.off('timeout', late).setTimeout(0)
      resolve(socket)
    })
  })
}

/** The reason is in the status line, because most programs show that of a failed tunnel. */
function toRefusal(error: unknown): string {
  const [status, reason] =
    error instanceof OstlerError
      ? [403, error.message]
      : [502, networkFailureOf(error) ?? 'the host cannot be reached']
  return `HTTP/1.1 ${status} ${reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
}
