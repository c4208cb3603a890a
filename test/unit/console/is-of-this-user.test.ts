import { expect, test } from 'vitest'
import { isOfThisUser, usersOf } from '../../../packages/console/src/server/http/is-of-this-user.ts'
import { machineAddresses } from '../../../packages/console/src/server/http/own-hosts.ts'

const line = (from: string, to: string, user: number, state = '01') =>
  `   1: ${from} ${to} ${state} 00000000:00000000 00:00000000 00000000 ${String(user).padStart(5)}        0 12345 1 00000000a435ba93 20 4 30 10 -1`
const table = [
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
  line('00000000:1F90', '00000000:0000', 1_000),
  // Our end of the connection has the ports the other way round.
  line('0100007F:1F90', '0100007F:0050', 1_000),
  line('0100007F:0050', '0100007F:1F90', 1_001),
  line('0100007F:9C40', '0100007F:1F90', 1_002),
  // An address of IPv4 in IPv6, and another address of this machine.
  line('0000000000000000FFFF00000100007F:9C41', '0000000000000000FFFF00000100007F:1F90', 1_003),
  line('0200007F:9C41', '0100007F:1F90', 1_004),
  // A process has closed its end, and the system has taken it over.
  line('0100007F:9C43', '0100007F:1F90', 0, '05'),
  line('00000000000000000000000001000000:9C44', '00000000000000000000000001000000:1F90', 1_005),
].join('\n')

test.each([
  ['a short number', '127.0.0.1', 80, [1_001]],
  ['one connection of many', '127.0.0.1', 40_000, [1_002]],
  ['an address of IPv4 in IPv6', '127.0.0.1', 40_001, [1_003]],
  ['the same port of another address', '127.0.0.2', 40_001, [1_004]],
  ['an unknown port', '127.0.0.1', 40_002, []],
  ['a closed end', '127.0.0.1', 40_003, []],
  ['IPv6', '::1', 40_004, [1_005]],
])('the users at the other end: %s', (_, remoteAddress, remotePort, users) => {
  expect(usersOf(table, { remoteAddress, remotePort, localPort: 8_080 })).toEqual(users)
})

test.skipIf(process.platform !== 'linux')(
  'a program of this machine that the system does not show is not ours',
  async () => {
    const local = { remoteAddress: '127.0.0.1', remotePort: 1, localAddress: '127.0.0.1', localPort: 1 }
    expect(await isOfThisUser(local, 1_000)).toBe(false)
    // A socket that has closed.
    expect(
      await isOfThisUser(
        { remoteAddress: undefined, remotePort: undefined, localAddress: undefined, localPort: undefined },
        1_000,
      ),
    ).toBe(false)
    expect(
      await isOfThisUser({ ...local, remoteAddress: '192.0.2.1', localAddress: '192.0.2.1' }, 1_000),
    ).toBe(false)
    // It uses another address of this machine.
    expect(await isOfThisUser({ ...local, remoteAddress: '192.0.2.1' }, 1_000)).toBe(false)
    expect(
      await isOfThisUser(
        { ...local, remoteAddress: '::ffff:192.0.2.1', localAddress: '::ffff:127.0.0.1' },
        1_000,
      ),
    ).toBe(false)
    for (const remoteAddress of machineAddresses())
      expect(await isOfThisUser({ ...local, remoteAddress, localAddress: '192.0.2.200' }, 1_000)).toBe(false)
    // Another machine.
    expect(
      await isOfThisUser({ ...local, remoteAddress: '198.51.100.1', localAddress: '192.0.2.2' }, 1_000),
    ).toBe(true)
  },
)

test('an empty or strange table names no user', () => {
  expect(usersOf('', { remoteAddress: '127.0.0.1', remotePort: 80, localPort: 8_080 })).toEqual([])
  expect(
    usersOf('x\n\n:0050 :1F90', { remoteAddress: '127.0.0.1', remotePort: 80, localPort: 8_080 }),
  ).toEqual([])
})
