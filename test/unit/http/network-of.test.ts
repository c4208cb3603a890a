import { describe, expect, test } from 'vitest'
import { networkOf, networksOf, privateAddressOf } from '../../../packages/agent-api/src/http/network-of.ts'
import { checkAddress } from '../../../packages/agent-api/src/mcp/oauth/auth-fetch.ts'

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.8.8.8', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['169.254.169.254', 'link-local'],
  ['::ffff:169.254.169.254', 'link-local'],
  ['fe80::1', 'link-local'],
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'private'],
  ['0.0.0.0', 'private'],
  ['fd00::1', 'private'],
  ['::ffff:10.0.0.1', 'private'],
  ['64:ff9b::a9fe:a9fe', 'link-local'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['224.0.0.1', 'private'],
  ['255.255.255.255', 'private'],
  ['ff02::1', 'private'],
  ['fe80::1%eth0', 'link-local'],
  ['::', 'loopback'],
  ['::127.0.0.1', 'loopback'],
  ['::a00:1', 'private'],
  ['::ffff:0:7f00:1', 'loopback'],
  ['::ffff:0:169.254.169.254', 'link-local'],
  ['64:ff9b:1::a00:1', 'private'],
  ['64:ff9b:1:a00:1::', 'private'],
  ['2002:7f00:1::1', 'loopback'],
  ['2002:a9fe:a9fe::', 'link-local'],
  ['2001::f5ff:fffe', 'private'],
  ['2001:0:4136:e378:8000:63bf:80ff:fffe', 'loopback'],
  ['100::1', 'private'],
  ['5f00::1', 'private'],
  ['4000::1', 'private'],
  ['64:ff9b::808:808', 'public'],
  ['::ffff:8.8.8.8', 'public'],
  ['::8.8.8.8', 'public'],
  ['::ffff:0:8.8.8.8', 'public'],
  ['2002:808:808::1', 'public'],
  ['2001::f7f7:f7f7', 'public'],
  ['2a00:1450:4001::200e', 'public'],
  ['3fff:ffff::1', 'public'],
  ['172.32.0.1', 'public'],
  ['8.8.8.8', 'public'],
  ['2606:4700::1', 'public'],
] as const)('%s is %s', (address, network) => expect(networkOf(address)).toBe(network))

test.each([
  ['http://localhost/', ['loopback']],
  ['http://[::1]/', ['loopback']],
  ['https://2130706433/', ['loopback']],
  ['https://0x0a000001/', ['private']],
  ['https://no-such-host.invalid/', []],
])('%s', async (url, networks) => expect([...(await networksOf(new URL(url)))]).toEqual(networks))

describe('an address named by a server', () => {
  test.each([
    ['https://8.8.8.8/x', 'https://1.1.1.1/mcp'],
    ['https://10.0.0.2/x', 'https://10.0.0.1/mcp'],
    ['https://169.254.1.2/x', 'https://169.254.1.1/mcp'],
    ['http://127.0.0.1:1/x', 'http://localhost:2/mcp'],
    ['https://8.8.8.8/x', 'https://10.0.0.1/mcp'],
  ])('%s is requested for %s', async (url, server) =>
    expect(await checkAddress(new URL(url), server)).toBeUndefined(),
  )

  test.each([
    ['http://8.8.8.8/x', 'https://8.8.8.8/mcp', 'not an https address'],
    ['http://10.0.0.1/x', 'http://10.0.0.1/mcp', 'not an https address'],
    ['ftp://8.8.8.8/x', 'https://8.8.8.8/mcp', 'not an https address'],
    ['javascript:alert(1)', 'https://8.8.8.8/mcp', 'not an https address'],
    ['https://me:it@8.8.8.8/x', 'https://8.8.8.8/mcp', 'user name or password'],
    ['https://127.0.0.1/x', 'https://8.8.8.8/mcp', 'to this machine'],
    ['http://localhost:9/x', 'https://8.8.8.8/mcp', 'to this machine'],
    ['https://169.254.169.254/x', 'https://10.0.0.1/mcp', 'to a link-local network'],
    ['https://10.0.0.1/x', 'http://127.0.0.1/mcp', 'to a private network'],
    ['https://[fd00::1]/x', 'https://8.8.8.8/mcp', 'to a private network'],
  ])('%s is not requested for %s', async (url, server, why) => {
    await expect(checkAddress(new URL(url), server)).rejects.toMatchObject({
      code: 'login.refused_address',
      message: expect.stringContaining(why),
    })
  })
})

describe('the address behind a URL', () => {
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
  ])('%s is in a private network', async (url) => {
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
})
