import { readFile } from 'node:fs/promises'
import { isIPv4, type Socket } from 'node:net'
import { endianness } from 'node:os'
import { isLoopbackAddress, machineAddresses } from './own-hosts.ts'

type Peer = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>

/** Linux lists the connections of this machine with their owners. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6']
const root = 0
const established = '01'

/**
 * True if a process of this user is at the other end of the connection. Root may do anything anyway, and
 * relays often run as root. Connections from other machines, or on other systems than Linux, have no known
 * owner and count as this user's. On Linux, an unknown owner on this machine counts as another user.
 */
export async function isOfThisUser(socket: Peer, ownUser = process.getuid?.()): Promise<boolean> {
  // A socket that closes forgets its addresses.
  const { remotePort, localPort } = socket
  const [remoteAddress, localAddress] = [socket.remoteAddress, socket.localAddress].map((address = '') =>
    address.replace(/^::ffff:/i, ''),
  )
  if (process.platform !== 'linux' || ownUser === undefined) return true
  const lists = await Promise.all(tables.map((path) => readFile(path, 'latin1').catch(() => '')))
  const users = lists.flatMap((list) => usersOf(list, { remoteAddress, remotePort, localPort }))
  if (users.length > 0) return users.every((user) => user === ownUser || user === root)
  return !isOfThisMachine(remoteAddress, localAddress)
}

/** A program may use any address of its machine, whatever address it connects to. Nothing else reaches a loopback address. */
function isOfThisMachine(remoteAddress = '', localAddress = ''): boolean {
  const isOwn =
    remoteAddress === '' ||
    remoteAddress === localAddress ||
    [remoteAddress, localAddress].some(isLoopbackAddress)
  return isOwn || machineAddresses().includes(remoteAddress.replace(/%.*/, ''))
}

/**
 * The users of the open sockets from the peer's port to ours. Root seems to own a socket that its process has closed. Columns: number, local
 * address, remote address, state, three others, user.
 */
export function usersOf(
  table: string,
  { remoteAddress = '', remotePort = 0, localPort = 0 }: Omit<Peer, 'localAddress'>,
): readonly number[] {
  const from = `${isIPv4(remoteAddress) ? toHex(remoteAddress) : ''}:${portOf(remotePort)}`
  return table.split('\n').flatMap((line) => {
    const [, local = '', remote = '', state, , , , user = ''] = line.trim().split(/\s+/)
    return state === established && local.endsWith(from) && remote.endsWith(`:${portOf(localPort)}`)
      ? [Number(user)]
      : []
  })
}

const portOf = (port: number) => hexOf(port, 4)
const hexOf = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0')

/** The bytes of the address are in the order of the processor. An address of IPv4 in IPv6 ends like one of IPv4. */
function toHex(address: string): string {
  const bytes = address.split('.').map((part) => hexOf(Number(part), 2))
  return (endianness() === 'LE' ? bytes.toReversed() : bytes).join('')
}
