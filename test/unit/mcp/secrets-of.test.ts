import { describe, expect, it } from 'vitest'
import { isSecretName, secretsOf } from '../../../packages/agent-api/src/mcp/secrets-of.ts'

const http = (over: object) => ({
  type: 'http' as const,
  name: 's',
  url: 'https://example.com/',
  headers: {},
  ...over,
})
const stdio = (over: object) => ({
  type: 'stdio' as const,
  name: 's',
  command: 'c',
  args: [],
  env: {},
  ...over,
})

describe('secretsOf', () => {
  it.each([
    [
      'a variable with a telling name',
      stdio({ env: { GITHUB_TOKEN: 'abc', NODE_ENV: 'production', HOME: '/home/me' } }),
      ['abc'],
    ],
    [
      'a value that looks like one',
      stdio({ env: { THING: 'ghp_0123456789abcdefghij' } }),
      ['ghp_0123456789abcdefghij'],
    ],
    [
      'a value of words and numbers is no secret',
      stdio({ args: ['time-server-v2', 'gpt-4-mini-2024', 'my.tool-1.2.3'] }),
      [],
    ],
    [
      'codes are',
      stdio({ args: ['abcd-1234-efgh', '550e8400-e29b-41d4-a716-446655440000'] }),
      ['abcd-1234-efgh', '550e8400-e29b-41d4-a716-446655440000'],
    ],
    [
      'a flag with its value',
      stdio({ args: ['--api-key=s3cret', '--token', 't0ken', '--port', '8080', '/a/path'] }),
      ['s3cret', 't0ken'],
    ],
    [
      'a password inside an address',
      stdio({ args: ['postgres://admin:dbpw@db/x'], env: { DB: 'mysql://u:envpw@h/x' } }),
      ['envpw', 'dbpw'],
    ],
    [
      'a parameter of an address',
      stdio({ args: ['--url=https://e.com/?a=1&api_key=abc%20d'] }),
      ['abc%20d', 'abc d'],
    ],
    ['a header given as an argument', stdio({ args: ['--header', 'Authorization: Bearer abc'] }), ['abc']],
    ['a variable given as an argument', stdio({ args: ['-e', 'DB_PASSWORD=abc'] }), ['abc']],
    ['a passphrase', stdio({ env: { SSH_PASSPHRASE: 'token of my love' } }), ['token of my love']],
    [
      'a secret in the path',
      http({ url: 'https://example.com/s/0123456789abcdef/mcp' }),
      ['0123456789abcdef'],
    ],
    [
      'the working directory is no secret',
      stdio({ env: { PWD: '/home/me/project', OLDPWD: '/home/me', GIT_AUTHOR_NAME: 'Someone' } }),
      [],
    ],
    [
      'a header, and the credentials in it',
      http({ headers: { Authorization: 'Bearer abc', Accept: 'text/plain' } }),
      ['Bearer abc', 'abc'],
    ],
    ['a scheme that nobody knows', http({ headers: { Authorization: 'Custom abc' } }), ['Custom abc', 'abc']],
    ['a password, and not its user', http({ url: 'https://me:p%40ss@example.com/' }), ['p%40ss', 'p@ss']],
    ['a token in the place of a user', http({ url: 'https://t0ken@example.com/' }), ['t0ken']],
    [
      'a user of something else',
      stdio({ args: ['ssh://git@example.com/x', 'postgres://postgres@localhost/db'] }),
      [],
    ],
    ['a parameter', http({ url: 'https://example.com/?api_key=abc&page=2' }), ['abc']],
  ])('%s', (_, config, secrets) => {
    expect(secretsOf(config)).toEqual(secrets)
  })

  it.each([
    ['API_KEY', true],
    ['x-api-key', true],
    ['Authorization', true],
    ['MYSQL_PWD', true],
    ['PWD', false],
    ['MONKEY_NAME', false],
    ['PATH', false],
  ])('isSecretName(%s) is %s', (name, is) => {
    expect(isSecretName(name)).toBe(is)
  })
})
