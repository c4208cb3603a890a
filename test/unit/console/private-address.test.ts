import { expect, test } from 'vitest'
import { privateAddressOf } from '../../../packages/console/src/server/private-address.ts'

test.each([
  'http://10.0.0.1/',
  'http://100.64.1.1/',
  'http://169.254.169.254/latest',
  'http://172.16.0.1/',
  'http://192.168.0.1:8080/mcp',
  'http://0xc0a80001/',
  'http://3232235521/',
  'http://[::ffff:192.168.0.1]/',
  'http://[fe80::1]/',
  'http://[fd12:3456::1]/',
  'http://[::ffff:0a00:0001]/',
  'http://0.0.0.0/',
])('%s is of a private network', async (url) => {
  expect(await privateAddressOf(url)).toEqual(expect.any(String))
})

test.each([
  'http://127.0.0.1:3000/',
  'http://localhost/',
  'http://[::1]/',
  'https://1.1.1.1/',
  'https://[2606:4700::1111]/',
  'https://172.32.0.1/',
  'nothing',
])('%s is not', async (url) => {
  expect(await privateAddressOf(url)).toBeUndefined()
})
