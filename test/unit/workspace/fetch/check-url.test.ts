import { expect, test } from 'vitest'
import {
  checkHost,
  lookupFor,
  parseUrl,
} from '../../../../packages/agent-api/src/workspace/fetch/check-url.ts'

const none = { allowedHosts: [] }

test.each([
  'https://example.com/a?b=c',
  'https://8.8.8.8/',
  'https://[2606:4700::1]/',
  'http://localhost:3000/',
  'http://127.0.0.1/',
  'http://[::1]:8080/',
  'https://localhost/',
])('%s may be fetched', (text) => expect(() => checkHost(parseUrl(text), none)).not.toThrow())

test.each([
  ['http://example.com/', 'only https'],
  ['ftp://example.com/', 'only https'],
  ['file:///etc/passwd', 'only https'],
  ['data:text/html,x', 'only https'],
  ['javascript:alert(1)', 'only https'],
  ['not a url', 'not a URL'],
  ['https://', 'not a URL'],
  ['https://me:secret@example.com/', 'user name or password'],
  ['https://secret@example.com/', 'user name or password'],
  [`https://example.com/${'a'.repeat(8_001)}`, 'longer than'],
  ['https://10.0.0.1/', 'private network'],
  ['https://192.168.1.1/', 'private network'],
  ['https://0x0a000001/', 'private network'],
  ['https://0/', 'private network'],
  ['https://169.254.169.254/latest/meta-data', 'link-local'],
  ['https://[fe80::1]/', 'link-local'],
  ['https://[fd00::1]/', 'private network'],
  ['https://[::ffff:10.0.0.1]/', 'private network'],
  ['https://[64:ff9b::a00:1]/', 'private network'],
  ['https://224.0.0.1/', 'private network'],
  ['http://2130706433.example/', 'only https'],
])('%s is refused', (text, reason) => {
  expect(() => checkHost(parseUrl(text), none)).toThrow(reason)
  expect(() => checkHost(parseUrl(text), none)).not.toThrow('secret@')
})

test('an allowed host may be in a private network', () => {
  expect(() => checkHost(parseUrl('https://10.0.0.1/'), { allowedHosts: ['10.0.0.1'] })).not.toThrow()
})

test('a page of another host may not redirect to this machine', () => {
  const local = parseUrl('http://localhost:3000/')
  expect(() => checkHost(local, none, parseUrl('https://example.com/'))).toThrow('redirects to this machine')
  expect(() => checkHost(local, none, parseUrl('http://127.0.0.1/'))).not.toThrow()
})

const resolve = (url: string, name: string, rules: { allowedHosts: readonly string[] } = none) =>
  new Promise((done) =>
    lookupFor(new URL(url), rules)(name, { all: true }, (error, addresses) =>
      done(error?.message ?? addresses),
    ),
  )

test('a name is refused when it leads to another network than it claims', async () => {
  expect(await resolve('https://innocent.example/', 'localhost')).toContain('leads to this machine')
  expect(await resolve('http://localhost/', '8.8.8.8')).toContain('leads to another machine')
  expect(
    await resolve('https://innocent.example/', 'localhost', { allowedHosts: ['innocent.example'] }),
  ).toEqual(expect.any(Array))
  expect(await resolve('http://localhost/', 'localhost')).toEqual(expect.any(Array))
})
