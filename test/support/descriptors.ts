import { closeSync, constants, openSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { makeFifo } from './make-fifo.ts'
import { openTempDir } from './temp-dir.ts'

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

export interface Pipe extends AsyncDisposable {
  readonly reading: number
  readonly writing: number
  close(end: 'reading' | 'writing'): void
}

/** A named pipe with both ends open in this process. */
export async function openPipe(): Promise<Pipe> {
  const dir = await openTempDir()
  const path = join(dir.path, 'pipe')
  makeFifo(path)
  // In this order, neither end waits for the other.
  const ends = {
    reading: openSync(path, O_RDONLY | O_NONBLOCK),
    writing: openSync(path, O_WRONLY | O_NONBLOCK),
  }
  const open = new Set<'reading' | 'writing'>(['reading', 'writing'])
  const close = (end: 'reading' | 'writing') => {
    if (open.delete(end)) closeSync(ends[end])
  }
  return {
    ...ends,
    close,
    async [Symbol.asyncDispose]() {
      close('reading')
      close('writing')
      await dir[Symbol.asyncDispose]()
    },
  }
}

export interface SocketPair extends AsyncDisposable {
  readonly descriptor: number
  readonly other: Socket
}

/** A pair of connected sockets: the descriptor of one, and the other. */
export async function openSocketPair(): Promise<SocketPair> {
  const dir = await openTempDir()
  const path = join(dir.path, 'socket')
  const server = createServer({ allowHalfOpen: true }).listen(path)
  await once(server, 'listening')
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const other = connect(path)
  const [socket] = await accepted
  // Node does not expose it, and nothing may read from the socket on its own.
  const { fd } = (socket as unknown as { readonly _handle: { readonly fd: number } })._handle
  socket.on('error', () => undefined)
  return {
    descriptor: fd,
    other,
    async [Symbol.asyncDispose]() {
      other.destroy()
      socket.destroy()
      server.close()
      await dir[Symbol.asyncDispose]()
    },
  }
}
