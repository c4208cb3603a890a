import { expect, test } from 'vitest'
import { usersOf } from '../../../packages/console/src/server/http/is-of-other-user.ts'

const line = (from: string, to: string, user: number) =>
  `   1: ${from} ${to} 01 00000000:00000000 00:00000000 00000000 ${String(user).padStart(5)}        0 12345 1 00000000a435ba93 20 4 30 10 -1`
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
].join('\n')

test.each([
  ['a short number', 80, [1_001]],
  ['one connection of many', 40_000, [1_002]],
  ['two of the same port', 40_001, [1_003, 1_004]],
  ['none', 40_002, []],
])('the users at the other end: %s', (_, remotePort, users) => {
  expect(usersOf(table, { remotePort, localPort: 8_080 })).toEqual(users)
})

test('an empty or strange table has none', () => {
  expect(usersOf('', { remotePort: 80, localPort: 8_080 })).toEqual([])
  expect(usersOf('x\n\n:0050 :1F90', { remotePort: 80, localPort: 8_080 })).toEqual([])
})
