import type { Socket } from 'node:net'

interface Room {
  /** Makes room for it if need be, or closes it. */
  add(socket: Socket): void
  /** Gives a connection that carried a request of our page its place for good. */
  keep(socket: Socket): void
}

/**
 * Limits the number of connections. If there are too many, the oldest that has not shown the key is closed, so that nobody who just opens
 * connections keeps the person out.
 */
export function keepRoom(connectionsMax: number): Room {
  const strangers = new Set<Socket>()
  const kept = new Set<Socket>()
  return {
    add(socket) {
      strangers.add(socket)
      socket.once('close', () => {
        strangers.delete(socket)
        kept.delete(socket)
      })
      if (strangers.size + kept.size <= connectionsMax) return
      const [oldest = socket] = strangers
      strangers.delete(oldest)
      oldest.destroy()
    },
    keep(socket) {
      if (strangers.delete(socket)) kept.add(socket)
    },
  }
}
