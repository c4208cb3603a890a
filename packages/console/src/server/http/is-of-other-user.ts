import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

type Peer = Pick<Socket, 'remotePort' | 'localPort'>

/** Linux lists the connections of this machine with their owners. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6']
const root = 0

/**
 * True if another user's process is at the other end of the connection. Root may do anything anyway, and relays often run as root. False if
 * the system does not show it.
 */
export async function isOfOtherUser(peer: Peer, ownUser = process.getuid?.()): Promise<boolean> {
  if (ownUser === undefined) return false
  const lists = await Promise.all(tables.map((path) => readFile(path, 'latin1').catch(() => '')))
  return lists.flatMap((list) => usersOf(list, peer)).some((user) => user !== ownUser && user !== root)
}

/** The users of the sockets from the peer's port to ours. Columns: number, local address, remote address, state, four others, user. */
export function usersOf(table: string, { remotePort = 0, localPort = 0 }: Peer): readonly number[] {
  const [from, to] = [remotePort, localPort].map((port) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`)
  return table.split('\n').flatMap((line) => {
    const [, local = '', remote = '', , , , , user = ''] = line.trim().split(/\s+/)
    return local.endsWith(from ?? ' ') && remote.endsWith(to ?? ' ') ? [Number(user)] : []
  })
}
