import { expect, test } from 'vitest'
import { secretsOfVariable } from '../../../packages/agent-api/src/mcp/secrets-of.ts'
import { isProxyVariable, withoutProxyUser } from '../../../packages/agent-api/src/redaction/proxy-address.ts'

test.each([
  ['http://proxy:3128', 'http://proxy:3128', []],
  [
    'http://ada:p%40ssw0rd@proxy:3128/',
    'http://proxy:3128/',
    ['p%40ssw0rd', 'p@ssw0rd', 'ada:p%40ssw0rd', 'ada:p@ssw0rd'],
  ],
  ['socks5h://ada:pa/ss@w0rd@proxy', 'socks5h://proxy', ['pa/ss@w0rd', 'ada:pa/ss@w0rd']],
  ['ada:passw0rd@proxy:3128', 'proxy:3128', ['passw0rd', 'ada:passw0rd']],
  ['http://ada@proxy', 'http://proxy', []],
  ['http://ada:@proxy', 'http://proxy', []],
  ['http://a1b2c3d4e5f6g7@proxy', 'http://proxy', ['a1b2c3d4e5f6g7']],
])('%s', (value, address, secrets) => {
  expect(withoutProxyUser(value)).toBe(address)
  expect(new Set(secretsOfVariable('https_proxy', value))).toEqual(new Set(secrets))
})

test('the names of variables', () => {
  const names = [
    'HTTPS_PROXY',
    'https_proxy',
    'HTTP_PROXY',
    'All_Proxy',
    'NO_PROXY',
    'PROXY',
    'HTTPS_PROXY_HOST',
  ]
  expect(names.filter(isProxyVariable)).toEqual(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'All_Proxy'])
})
