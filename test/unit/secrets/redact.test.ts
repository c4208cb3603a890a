import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../packages/agent-api/src/secrets/redact.ts'
import { secretsOf } from '../../../packages/agent-api/src/secrets/secrets-of.ts'

describe('a redactor', () => {
  const secret = 'p4ss/w"rd+$^'
  const redactor = createRedactor()
  redactor.add(secret)

  it.each([
    ['as it is', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['JSON-escaped', JSON.stringify(secret).slice(1, -1)],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64url', Buffer.from(secret).toString('base64url')],
  ])('strikes a secret %s', (_, form) => {
    expect(redactor.redact(`before ${form} after ${form}`)).toBe('before [redacted] after [redacted]')
  })

  it('leaves nothing of a longer secret that holds a shorter one', () => {
    const both = createRedactor()
    both.add('abcdef')
    both.add('abcdefghijkl')
    expect(both.redact('abcdefghijkl abcdef')).toBe('[redacted] [redacted]')
  })

  it('does not strike a value that stands everywhere', () => {
    const short = createRedactor()
    short.add('1')
    short.add('')
    expect(short.redact('1 and 1')).toBe('1 and 1')
  })
})

describe('secretsOf', () => {
  const http = (over: object) => ({ type: 'http' as const, name: 's', url: 'https://example.com/', headers: {}, ...over })
  const stdio = (over: object) => ({ type: 'stdio' as const, name: 's', command: 'c', args: [], env: {}, ...over })

  it.each([
    ['a variable with a telling name', stdio({ env: { GITHUB_TOKEN: 'abc', NODE_ENV: 'production', HOME: '/home/me' } }), ['abc']],
    ['a value that looks like one', stdio({ env: { THING: 'ghp_0123456789abcdefghij' } }), ['ghp_0123456789abcdefghij']],
    ['a flag with its value', stdio({ args: ['--api-key=s3cret', '--token', 't0ken', '--port', '8080', '/a/path'] }), ['s3cret', 't0ken']],
    [
      'a password inside an address',
      stdio({ args: ['postgres://admin:dbpw@db/x'], env: { DB: 'mysql://u:envpw@h/x' } }),
      ['envpw', 'envpw', 'dbpw', 'dbpw'],
    ],
    ['a header given as an argument', stdio({ args: ['--header', 'Authorization: Bearer abc'] }), ['Bearer abc', 'abc']],
    ['a variable given as an argument', stdio({ args: ['-e', 'DB_PASSWORD=abc'] }), ['abc']],
    ['a passphrase', stdio({ env: { SSH_PASSPHRASE: 'abc' } }), ['abc']],
    ['a secret in the path', http({ url: 'https://example.com/s/0123456789abcdef/mcp' }), ['0123456789abcdef']],
    ['the working directory is none', stdio({ env: { PWD: '/home/me/project', OLDPWD: '/home/me', GIT_AUTHOR_NAME: 'Someone' } }), []],
    [
      'a header, and the credentials in it',
      http({ headers: { Authorization: 'Bearer abc', Accept: 'text/plain' } }),
      ['Bearer abc', 'abc'],
    ],
    ['a user and a password', http({ url: 'https://me:p%40ss@example.com/' }), ['me', 'p%40ss', 'me', 'p@ss']],
    ['a parameter', http({ url: 'https://example.com/?api_key=abc&page=2' }), ['abc']],
  ])('%s', (_, config, secrets) => {
    expect(secretsOf(config)).toEqual(secrets)
  })
})
