import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { isIPv4, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { machineAddresses } from '../../packages/console/src/server/http/own-hosts.ts'
import { sumServer } from '../support/acp-scripted.ts'
import { fixtureServer } from '../support/agent-files.ts'
import { processesWithArgument, until } from '../support/processes.ts'
import { runCli } from '../support/run-cli.ts'
import { openTempDir } from '../support/temp-dir.ts'
import {
  ask,
  enterConsole,
  linesOf,
  openConsole,
  type ConsoleOptions,
  type OpenConsole,
} from './console-process.ts'

let open: OpenConsole
beforeAll(async () => void (open = await openConsole()))
afterAll(() => open[Symbol.asyncDispose]())

const api = '/api/servers'
const assets = async () =>
  [...(await open.ask('GET', '/')).text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  )

/** Sends a request of the page as raw bytes, with some headers replaced or removed (undefined). */
function request(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | undefined>> = {},
  body = '',
): Promise<string> {
  const all: Record<string, string | undefined> = {
    host: `127.0.0.1:${open.port}`,
    authorization: open.authorization,
    connection: 'close',
    ...(method !== 'GET' && { origin: open.origin }),
    ...(body !== '' && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  return open.raw(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

const server = (name: string) =>
  JSON.stringify({ name, entry: { type: 'stdio', command: 'true' }, confirmed: true })

test('the same requests are answered when they are exactly as the page sends them', async () => {
  expect(statusOf(await request('GET', api))).toBe(200)
  expect(statusOf(await request('GET', '/'))).toBe(200)
  expect(statusOf(await request('POST', api, {}, server('allowed')))).toBe(201)
  expect(statusOf(await request('GET', api, { host: `localhost:${open.port}` }))).toBe(200)
})

describe('the Host header', () => {
  const hosts = () => [
    'evil.example',
    `evil.example:${open.port}`,
    `127.0.0.1.nip.io:${open.port}`,
    `[::1]:${open.port}`,
    '127.0.0.1',
    '127.0.0.1:80',
    'localhost:80',
    `127.0.0.1:${open.port}.evil.example`,
    `localhost.:${open.port}`,
  ]
  test.each(['/', api, '/enter?token=x', '/nothing', '/assets/x.js'])(
    'must be its own, for %s',
    async (path) => {
      for (const host of hosts())
        expect([host, statusOf(await request('GET', path, { host }))]).toEqual([host, 421])
    },
  )
  test('is required exactly once', async () => {
    expect(statusOf(await request('GET', api, { host: undefined }))).toBe(400)
    expect(statusOf(await open.raw(`GET / HTTP/1.0\r\n\r\n`))).toBe(400)
    const two = `GET ${api} HTTP/1.1\r\nhost: 127.0.0.1:${open.port}\r\nhost: evil.example\r\nconnection: close\r\nauthorization: ${open.authorization}\r\n\r\n`
    expect(statusOf(await open.raw(two))).toBe(400)
  })
  test('also applies to an absolute request target', async () => {
    expect(statusOf(await request('GET', 'http://evil.example/api/servers'))).toBe(400)
    expect(statusOf(await request('GET', '//evil.example/api/servers'))).toBe(400)
  })
})

describe('the origin of a request', () => {
  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['the other name of this machine', { origin: 'http://localhost:PORT' }],
    ['nobody knows where', { origin: undefined }],
    ['another site, by what the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['another port, by what the browser says', { 'sec-fetch-site': 'same-site' }],
  ])('%s: nothing is changed', async (_, headers) => {
    const filled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value?.replace('PORT', String(open.port))]),
    )
    expect(statusOf(await request('POST', api, filled, server('foreign')))).toBe(403)
    expect((await open.ask('GET', api)).text).not.toContain('foreign')
  })
  test('nothing can be read from another site, and no answer ever allows it', async () => {
    for (const path of ['/', api, '/api/events', '/enter?token=x']) {
      const answer = await request('GET', path, { origin: 'https://evil.example' })
      expect(statusOf(answer)).toBe(403)
      expect(answer.toLowerCase()).not.toContain('access-control')
      expect(statusOf(await request('GET', path, { 'sec-fetch-site': 'cross-site' }))).toBe(403)
    }
    const preflight = await request('OPTIONS', api, {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
    })
    expect(statusOf(preflight)).toBe(405)
    expect(preflight.toLowerCase()).not.toContain('access-control')
  })
})

describe('the token and the key', () => {
  const enter = (console: OpenConsole, token: string) =>
    ask(console.origin, '', 'POST', '/api/enter', { token })
  const tokenOf = ({ url }: OpenConsole) => new URL(url).searchParams.get('token') ?? ''

  test('no data is answered without the key, and no request for the page changes that', async () => {
    const paths = [
      api,
      '/api/events',
      '/api/about',
      '/api/calls/export?format=csv',
      '/api/nothing',
      '/api/enter',
    ]
    const wrong = [
      undefined,
      '',
      'Bearer',
      'Bearer x',
      open.authorization.slice(7),
      `${open.authorization}x`,
      `bearer ${open.authorization}`,
    ]
    for (const path of paths)
      for (const authorization of wrong)
        expect([path, statusOf(await request('GET', path, { authorization }))]).toEqual([path, 401])
    const key = open.authorization.slice(7)
    const others = { authorization: undefined, cookie: `ostler-console-${open.port}=${key}; key=${key}` }
    expect(statusOf(await request('GET', `${api}?key=${key}`, others))).toBe(401)
    expect(statusOf(await request('POST', api, { authorization: undefined }, server('closed')))).toBe(401)
    // The page itself holds no data, and sets no cookie.
    for (const path of ['/', '/calls', '/enter?token=x', ...(await assets())]) {
      const page = await request('GET', path, { authorization: undefined })
      expect([path, statusOf(page)]).toEqual([path, 200])
      expect(page.toLowerCase()).not.toContain('set-cookie')
    }
  })
  test('the token only works for the login, and only once', async () => {
    const token = tokenOf(open)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(statusOf(await request('GET', `${api}?token=${token}`, { authorization: undefined }))).toBe(401)
    expect(statusOf(await request('GET', api, { authorization: `Bearer ${token}` }))).toBe(401)
    for (const given of [token, '', 'x']) {
      const { status, text } = await enter(open, given)
      expect(status).toBe(401)
      expect(text).toContain('`ostler console`')
      expect(text).not.toContain(token || '?')
    }
    for (const body of ['{}', '[]', 'null', '{"token":["x"]}'])
      expect(statusOf(await request('POST', '/api/enter', { authorization: undefined }, body))).toBe(401)
  })
  test('only the page can exchange the token: a link that is opened or looked at does not use it up', async () => {
    await using console = await openConsole({ isLeftClosed: true })
    expect((await fetch(console.url)).status).toBe(200)
    const body = JSON.stringify({ token: tokenOf(console) })
    for (const origin of ['http://127.0.0.1:1', 'https://evil.example', undefined]) {
      const headers = { 'content-type': 'application/json', ...(origin !== undefined && { origin }) }
      expect((await fetch(`${console.origin}/api/enter`, { method: 'POST', headers, body })).status).toBe(403)
    }
    const entered = await enter(console, tokenOf(console))
    expect(entered).toMatchObject({ status: 200, json: { key: expect.stringMatching(/^[\w-]{43}$/) } })
    expect(entered.headers.get('set-cookie')).toBeNull()
    expect(entered.json.key).not.toBe(tokenOf(console))
  })
  test('the key is for this console only', async () => {
    await using other = await openConsole({ stateDir: open.stateDir })
    expect(other.authorization).not.toBe(open.authorization)
    expect((await ask(other.origin, open.authorization, 'GET', api, undefined)).status).toBe(401)
    expect((await other.ask('GET', api)).status).toBe(200)
  })
})

// `ps` shows all users the command line of a browser that is opened.
describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'another user of this computer',
  () => {
    test.each([true, false])(
      'is not let in, does not use up the address, and cannot use a key. Opens a browser: %s',
      async (opens) => {
        await using dir = await openTempDir()
        await writeFile(join(dir.path, 'xdg-open'), '#!/bin/sh\n', { mode: 0o755 })
        const env = { PATH: `${dir.path}:${process.env['PATH'] ?? ''}`, DISPLAY: ':7' }
        await using console = await openConsole({ opens, isLeftClosed: true, env })
        expect(await statusesForStranger(console.url, '')).toEqual([403, 403, 403])
        const authorization = await enterConsole(console.url)
        expect(await statusesForStranger(console.url, authorization)).toEqual([403, 403, 403])
        expect((await ask(console.origin, authorization, 'GET', api, undefined)).status).toBe(200)
      },
    )
    test('is let in by a flag', async () => {
      await using console = await openConsole({ args: ['--allow-other-users'], isLeftClosed: true })
      expect(await statusesForStranger(console.url, '')).toEqual([200, 200, 401])
    })
    test('does not use up the address with connections that it closes at once, or that come from another address of this machine', async () => {
      await using console = await openConsole({ isLeftClosed: true })
      const { port, searchParams } = new URL(console.url)
      const body = JSON.stringify({ token: searchParams.get('token') })
      const head = `POST /api/enter HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\norigin: ${console.origin}\r\ncontent-type: application/json\r\n`
      const bytes = `${head}content-length: ${body.length}\r\n\r\n${body}`
      const code = `
      const [, port, bytes, ...addresses] = process.argv
      const { connect } = require('node:net')
      const send = (finish, localAddress) => new Promise((resolve) => {
        const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress }, () => socket.write(bytes, () => { finish(socket) }))
        socket.on('error', () => undefined).on('close', resolve).resume()
      })
      const all = Array.from({ length: 60 }, (_, index) => send(index % 2 === 0 ? (socket) => socket.destroy() : (socket) => socket.end()))
      all.push(...addresses.map((address) => send((socket) => socket.end(), address)))
      Promise.all(all).then(() => console.log('0'))`
      await asNobody(code, port, bytes, ...machineAddresses().filter(isIPv4))
      expect(await enterConsole(console.url)).toMatch(/^Bearer [\w-]{43}$/)
    })
  },
)

const get = (url: string, authorization: string) =>
  `fetch('${url}', { headers: { authorization: '${authorization}' } })`

/** The statuses of the page, the exchange of the token, and data, for a process of the user nobody. */
async function statusesForStranger(url: string, authorization: string): Promise<readonly number[]> {
  const { origin, searchParams } = new URL(url)
  const body = JSON.stringify({ token: searchParams.get('token') })
  const enter = `fetch('${origin}/api/enter', { method: 'POST', headers: { origin: '${origin}', 'content-type': 'application/json' }, body: '${body}' })`
  const requests = [get(url, authorization), enter, get(`${origin}${api}`, authorization)]
  const out = await asNobody(
    `Promise.all([${requests.join()}]).then((all) => console.log(JSON.stringify(all.map(({ status }) => status))))`,
  )
  return JSON.parse(out) as number[]
}

/** Runs code in a process of the user nobody, and returns what it prints. */
async function asNobody(code: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['-e', code, ...args], {
    uid: 65_534,
    gid: 65_534,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    // The system's settings may be closed to others, and then Node does not start.
    env: { OPENSSL_CONF: '/dev/null' },
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  await new Promise((resolve) => child.on('close', resolve))
  return out
}

describe('forms of other sites', () => {
  test.each([
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/json, text/plain',
    'application/jsonp',
    undefined,
  ])('a body of type %s is not read', async (type) => {
    expect(statusOf(await request('POST', api, { 'content-type': type }, server('form')))).toBe(415)
    expect((await open.ask('GET', api)).text).not.toContain('form')
  })
  test('a GET changes nothing, and nothing is changed by GET', async () => {
    for (const path of [
      '/api/servers/x/connect',
      '/api/servers/test',
      '/api/import',
      '/api/agent/preview',
      '/api/servers/x/call',
    ]) {
      const answer = await request('GET', path)
      expect([path, [404, 405].includes(statusOf(answer))]).toEqual([path, true])
    }
    const answer = await request('GET', '/api/servers/x/connect')
    expect(answer).toMatch(/\r\nallow: POST\r\n/i)
    expect(statusOf(await request('GET', api, {}, '{}'))).toBe(400)
  })
  test.each(['TRACE', 'OPTIONS', 'PROPFIND', 'CONNECT'])('%s is no method here', async (method) => {
    expect([403, 405]).toContain(statusOf(await request(method, api)))
  })
  test('a body that is not a JSON object is refused', async () => {
    for (const body of ['{', '[]', '"x"', '1', 'null', '{"name":1}', '\u0000'])
      expect(statusOf(await request('POST', api, {}, body))).toBe(400)
    expect(statusOf(await request('POST', api, { 'content-encoding': 'gzip' }, server('zipped')))).toBe(415)
  })
})

test('there is nothing to upgrade to', async () => {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  for (const origin of ['https://evil.example', open.origin])
    expect(statusOf(await request('GET', '/api/events', { ...upgrade, origin }))).toBe(403)
})

test('text in a path is displayed as text, if at all', async () => {
  const answer = await request('GET', '/<img src=x onerror=alert(1)>'.replaceAll(' ', '%20'), {
    accept: 'text/html',
  })
  expect(answer).not.toContain('<img')
  const unknown = await request('GET', `/api/servers/${encodeURIComponent('<svg/onload=alert(1)>')}`, {
    accept: 'text/html',
  })
  expect(unknown).toContain('Content-Type: application/json; charset=utf-8')
})

test('every answer forbids framing, sniffing, caching and referrers', async () => {
  const answers = [
    await request('GET', '/'),
    await request('GET', api),
    await request('GET', '/nothing'),
    await request('GET', '/nothing', { accept: 'text/html', host: 'evil.example' }),
    await request('POST', api, { origin: 'null' }, server('x')),
    await request('GET', '/', { host: 'evil.example' }),
  ]
  for (const answer of answers) {
    const headers = answer.slice(0, answer.indexOf('\r\n\r\n'))
    const policy = /Content-Security-Policy: (.*)/.exec(headers)?.[1]?.trim()
    // A notice allows its own style, and nothing else.
    const isNotice = policy?.includes("style-src 'sha256-") === true
    expect(policy?.replace(/sha256-[\w+/=]+/, '…')).toBe(
      isNotice
        ? "default-src 'none'; style-src '…'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        : "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers).toContain('X-Frame-Options: DENY')
    expect(headers).toContain('X-Content-Type-Options: nosniff')
    expect(headers).toContain('Referrer-Policy: no-referrer')
    expect(headers).toContain('Cross-Origin-Opener-Policy: same-origin')
    expect(headers).toContain('Cross-Origin-Resource-Policy: same-origin')
    expect(headers).toContain('Cache-Control: no-store')
    expect(headers.toLowerCase()).not.toContain('access-control')
  }
})

test('files with a hash in their name may be cached, the page may not', async () => {
  for (const path of await assets()) {
    const { status, headers } = await open.ask('GET', path)
    expect([path, status, headers.get('cache-control')]).toEqual([
      path,
      200,
      'private, max-age=31536000, immutable',
    ])
  }
})

test.each([
  '/..%2f..%2fetc/passwd',
  '/../../../../etc/passwd',
  '/assets/..%2f..%2f..%2fostler.js',
  '/assets/../../ostler.js',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/etc/passwd',
  '/index.html%00.js',
  '/assets%5c..%5cindex.html',
  '/..;/ostler.js',
  '/api/..%2findex.html',
  '/%zz',
])('the path %s leads nowhere', async (path) => {
  const answer = await request('GET', path)
  expect(statusOf(answer)).toBe(404)
  expect(answer).not.toMatch(/root:|import/)
})

describe('too large requests', () => {
  test('a body of more than a megabyte is refused, declared or not', async () => {
    expect(statusOf(await request('POST', api, { 'content-length': String(100 * 1024 * 1024) }, '{}'))).toBe(
      413,
    )
    const chunk = 'x'.repeat(64 * 1024)
    const chunks = Array.from({ length: 20 }, () => `10000\r\n${chunk}\r\n`).join('')
    const head = `POST ${api} HTTP/1.1\r\nhost: 127.0.0.1:${open.port}\r\norigin: ${open.origin}\r\nauthorization: ${open.authorization}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    expect(statusOf(await open.raw(`${head}${chunks}0\r\n\r\n`))).toBe(413)
  })
  test('a body that cannot be smuggled', async () => {
    expect(statusOf(await request('POST', api, { 'transfer-encoding': 'chunked' }, server('smuggled')))).toBe(
      400,
    )
  })
  test('a megabyte of headers is refused, and many small ones', async () => {
    expect(statusOf(await request('GET', api, { 'x-large': 'x'.repeat(1024 * 1024) }))).toBe(431)
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`x-${index}`, '1']))
    expect(statusOf(await request('GET', api, many))).toBe(431)
  })
  test('a body with endless nesting', async () => {
    const deep = `{"name":"deep","entry":{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`
    expect(statusOf(await request('POST', api, {}, deep))).toBe(422)
    expect(statusOf(await request('POST', '/api/import/preview', {}, JSON.stringify({ text: deep })))).toBe(
      422,
    )
  })
  test('it still answers', async () => {
    expect(statusOf(await request('GET', api))).toBe(200)
  })
})

describe('a request that runs something', () => {
  /** Each test has its own command, because a confirmed command needs no other confirmation. */
  const draftOf = (mark: string) => ({
    name: 'tested',
    entry: {
      type: 'stdio',
      command: process.execPath,
      args: [...sumServer().args, mark],
      env: { API_TOKEN: 'hush-hush-hush' },
    },
  })

  test("needs a person's consent to the whole command", async () => {
    const draft = draftOf('a b')
    const refused = await open.ask('POST', '/api/servers/test', draft)
    expect(refused.status).toBe(409)
    expect(refused.json.code).toBe('console.unconfirmed')
    expect(refused.json.confirm.commandLine).toBe(
      `API_TOKEN=[redacted] ${process.execPath} ${sumServer().args[0]} 'a b'`,
    )
    for (const confirmed of [false, 'true', 1])
      expect(
        (await open.ask('POST', '/api/servers/test', { ...draft, confirmed })).status,
      ).toBeGreaterThanOrEqual(400)

    const lines = linesOf(await open.ask('POST', '/api/servers/test', { ...draft, confirmed: true }))
    expect(lines.map(({ type }) => type)).toEqual(['started', 'connected'])
    expect(JSON.stringify(lines)).not.toContain('hush-hush')
    // Exactly this command needs no other confirmation; any other one does.
    expect((await open.ask('POST', '/api/servers/test', draft)).status).toBe(200)
    for (const entry of [
      { ...draft.entry, args: [...draft.entry.args, 'more'] },
      { ...draft.entry, cwd: '/' },
      { ...draft.entry, env: { PLAIN: '1' } },
    ])
      expect((await open.ask('POST', '/api/servers/test', { ...draft, entry })).status).toBe(409)
  })

  test('needs it to be saved, to be switched on, and when a saved command changes, because agents start it', async () => {
    const draft = draftOf('saved')
    const { commandLine } = (await open.ask('POST', api, { ...draft, name: 'saved' })).json.confirm
    expect(commandLine).toContain('saved')
    expect(
      (
        await open.ask('POST', api, {
          ...draft,
          name: 'saved',
          confirmed: true,
          confirmedCommandLine: 'another',
        })
      ).status,
    ).toBe(409)
    const off = { ...draft, name: 'saved', entry: { ...draft.entry, enabled: false } }
    const { json: added, status } = await open.ask('POST', api, off)
    expect(status).toBe(201)
    expect((await open.ask('PATCH', `${api}/${added.id}`, { entry: { args: ['other'] } })).status).toBe(200)
    expect((await open.ask('PATCH', `${api}/${added.id}`, { enabled: true })).status).toBe(409)
    expect((await open.ask('PATCH', `${api}/${added.id}`, { enabled: true, confirmed: true })).status).toBe(
      200,
    )
    expect((await open.ask('PATCH', `${api}/${added.id}`, { entry: { args: ['third'] } })).status).toBe(409)
    expect((await open.ask('GET', `${api}/${added.id}`)).json.entry.args).toEqual(['other'])
    await open.ask('DELETE', `${api}/${added.id}`)
  })

  test('also needs it for a call', async () => {
    const entry = { ...draftOf('called').entry, enabled: false }
    const { json: added } = await open.ask('POST', api, { name: 'stored', entry })
    for (const [path, body] of [
      ['connect', {}],
      ['call', { tool: 'add', arguments: {} }],
      ['read', { uri: 'x:y' }],
    ] as const) {
      const answer = await open.ask('POST', `${api}/${added.id}/${path}`, body)
      expect([path, answer.status, answer.json.confirm.commandLine]).toEqual([
        path,
        409,
        expect.stringContaining('sum-server.mjs'),
      ])
    }
    expect((await open.ask('POST', `${api}/${added.id}/connect`, { confirmed: true })).status).toBe(200)
  })

  test('must be for the command that was shown, or asks again', async () => {
    const seen = { ...draftOf('shown'), confirmed: true, confirmedCommandLine: 'something else' }
    const refused = await open.ask('POST', '/api/servers/test', seen)
    expect(refused).toMatchObject({ status: 409, json: { confirm: { kind: 'command' } } })
    const { commandLine } = refused.json.confirm
    const again = await open.ask('POST', '/api/servers/test', { ...seen, confirmedCommandLine: commandLine })
    expect(linesOf(again).at(-1)).toMatchObject({ type: 'connected' })
  })

  test('shows the directory where it runs', async () => {
    const { json } = await open.ask('POST', '/api/servers/test', {
      name: 'placed',
      entry: { type: 'stdio', command: './server', cwd: '/some where' },
    })
    expect(json.confirm.commandLine).toBe("cd '/some where' && ./server")
  })

  test('is refused for an entry that is first invalid and then turns out to be valid', async () => {
    const args = ['-e', 'setTimeout(() => {}, 60_000)', 'smuggled']
    const { json: added } = await open.ask('POST', api, {
      name: 'smuggled',
      confirmed: true,
      entry: { type: 'stdio', command: process.execPath, args, env: { WAIT_TOKEN: '30s' } },
    })
    const smuggled = {
      id: added.id,
      name: 'smuggled',
      entry: { cwd: '/', timeout: '${secret:env.WAIT_TOKEN}' },
    }
    const answer = await open.ask('POST', '/api/servers/test', smuggled)
    expect(answer).toMatchObject({
      status: 422,
      json: { code: 'config.invalid', issues: [{ path: ['timeout'] }] },
    })
    expect(await processesWithArgument('smuggled')).toEqual([])
  })

  test('needs it again when a connected server becomes another', async () => {
    const draft = draftOf('changing')
    const { json: added } = await open.ask('POST', api, { ...draft, name: 'changing', confirmed: true })
    const path = `${api}/${added.id}`
    const state = async () => (await open.ask('GET', path)).json.status.state
    const args = [...sumServer().args, 'another']
    await open.ask('POST', `${path}/connect`, { confirmed: true })
    expect((await open.ask('PATCH', path, { entry: { description: 'The same.' } })).status).toBe(200)
    await until('it goes on', async () => (await state()) === 'connected')

    expect(await open.ask('PATCH', path, { entry: { args } })).toMatchObject({
      status: 409,
      json: { code: 'console.unconfirmed', confirm: { commandLine: expect.stringContaining('another') } },
    })
    expect((await open.ask('GET', path)).json.entry.args).toEqual(draft.entry.args)
    expect(await open.ask('PATCH', path, { entry: { args: [], command: '' } })).toMatchObject({
      status: 422,
      json: { issues: [{ path: ['command'] }] },
    })
    expect((await open.ask('PATCH', path, { entry: { args }, confirmed: true })).json.entry.args).toEqual(
      args,
    )
    await until('it runs', async () => (await state()) === 'connected')
    expect(await open.ask('POST', `${path}/disconnect`, {})).toMatchObject({ status: 200, text: '{}' })
    // Agents would start it, though this console is not connected.
    expect((await open.ask('PATCH', path, { entry: { args: ['later'] } })).status).toBe(409)
  })

  test('is recorded once, and not for each look at it', async () => {
    const { json: added } = await open.ask('POST', api, {
      ...draftOf('looked'),
      name: 'looked-at',
      confirmed: true,
    })
    const count = async () =>
      (await open.ask('GET', '/api/calls?tool=console:connect-server')).json.calls.length
    const before = await count()
    for (const _ of [1, 2, 3])
      expect(
        (await open.ask('POST', `${api}/${added.id}/connect`, { confirmed: true })).json.tools.length,
      ).toBeGreaterThan(0)
    expect(await count()).toBe(before + 1)
  })

  test('is recorded for everyone to see', async () => {
    const { calls } = (await open.ask('GET', '/api/calls?limit=200')).json as {
      calls: { tool: string; rule: string; id: string }[]
    }
    const actions = calls.filter(({ tool }) => tool.startsWith('console:'))
    const tools = actions.map(({ tool }) => tool)
    expect((await open.ask('GET', '/api/calls?server=-')).json.calls).toEqual([])
    expect(tools).toEqual(
      expect.arrayContaining(['console:add-server', 'console:test-server', 'console:connect-server']),
    )
    expect(actions.every(({ rule }) => rule === 'person:console')).toBe(true)
    for (const { id } of actions)
      expect((await open.ask('GET', `/api/calls/${id}`)).text).not.toContain('hush-hush')
  })
})

describe('addresses of other networks', () => {
  test.each([
    ['http://169.254.169.254/latest/meta-data', '169.254.169.254'],
    ['http://2852039166/', '169.254.169.254'],
    ['http://0xa9fea9fe/', '169.254.169.254'],
    ['http://[::ffff:169.254.169.254]/', '::ffff:a9fe:a9fe'],
    ['https://10.1.2.3/mcp', '10.1.2.3'],
    ['https://192.168.1.1/', '192.168.1.1'],
    ['https://172.31.0.9/', '172.31.0.9'],
    ['https://[fe80::1]/', 'fe80::1'],
    ['https://[fd00::1]/', 'fd00::1'],
  ])('%s must be confirmed by its address', async (url, address) => {
    const draft = { name: 'far', entry: { type: 'http', url, allowInsecureHttp: true } }
    for (const consent of [{}, { confirmed: true }, { confirmed: true, confirmedAddress: '1.2.3.4' }]) {
      const answer = await open.ask('POST', '/api/servers/test', { ...draft, ...consent })
      expect([answer.status, answer.json.confirm.address]).toEqual([409, address])
    }
  })
  test.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://127.0.0.1/',
    'javascript:alert(1)',
    'data:text/plain,x',
  ])('%s is no server', async (url) => {
    const draft = { name: 'odd', entry: { type: 'http', url }, confirmed: true }
    expect(await open.ask('POST', '/api/servers/test', draft)).toMatchObject({
      status: 422,
      json: { code: 'config.invalid', issues: [{ path: ['url'] }] },
    })
  })
  test('a redirect of a server is not followed', async () => {
    const asked: string[] = []
    const elsewhere = createServer((incoming, response) => {
      asked.push(incoming.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    const target = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/secret`
    const redirecting = createServer((_, response) => response.writeHead(307, { location: target }).end())
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/mcp`
    const answer = await open.ask('POST', '/api/servers/test', {
      name: 'redirects',
      entry: { type: 'http', url },
      confirmed: true,
    })
    expect(linesOf(answer).at(-1)).toMatchObject({ type: 'failed' })
    expect(asked).toEqual([])
    elsewhere.close()
    redirecting.close()
  })
})

describe('secrets', () => {
  const secret = 'canary-0123456789'
  test('are in no answer and no file, whatever was done with them', async () => {
    const { json: added, text } = await open.ask('POST', api, {
      name: 'secretive',
      confirmed: true,
      entry: {
        type: 'stdio',
        command: process.execPath,
        args: [fixtureServer('modern-server.mjs'), 'stdio', `--token=${secret}`],
        env: { SOME_KEY: secret, PLAIN: secret },
      },
      secret: { env: ['PLAIN'] },
    })
    expect(text).not.toContain(secret)
    expect(added.secrets.length).toBeGreaterThan(1)
    await open.ask('POST', `${api}/${added.id}/connect`, { confirmed: true })
    const echoed = await open.ask('POST', `${api}/${added.id}/call`, {
      tool: 'echo',
      arguments: { message: secret },
    })
    await open.ask('PATCH', `${api}/${added.id}`, {
      entry: { env: { SOME_KEY: `${secret}-2` } },
      confirmed: true,
    })
    expect(linesOf(echoed).at(-1)).toMatchObject({ type: 'ended', outcome: 'success' })
    const answers = [echoed]
    for (const path of [
      '/api/servers',
      '/api/calls',
      '/api/export',
      '/api/calls/export?format=csv',
      '/api/calls/export?format=json',
      '/api/agent',
    ])
      answers.push(await open.ask('GET', path))
    for (const answer of answers) expect(answer.text).not.toContain(secret)
    expect(open.stderr() + open.stdout()).not.toContain(secret)
    for (const file of await readdir(open.stateDir)) {
      const content = await readFile(join(open.stateDir, file), 'latin1').catch(() => '')
      expect([file, content.includes(secret)]).toEqual([file, false])
    }
  })
  test('and the token is printed once and stored nowhere', async () => {
    const token = new URL(open.url).searchParams.get('token') ?? ''
    expect(open.stdout().split(token)).toHaveLength(2)
    expect(open.stderr()).not.toContain(token)
  })
})

describe('the command', () => {
  const run = (...args: string[]) => runCli(['console', '--no-open', ...args])
  test('listens on other addresses only with an explicit flag', async () => {
    for (const address of ['0.0.0.0', '::', '192.168.1.1', 'example.com']) {
      const { code, stderr } = await run('--host', address)
      expect(code).toBe(2)
      expect(stderr).toContain('--dangerously-allow-remote')
    }
  })
  test('does not switch to another port when the given one is taken', async () => {
    await using dir = await openTempDir()
    const { code, stdout, stderr } = await run('--port', String(open.port), '--state-dir', dir.path)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`port ${open.port} of 127.0.0.1 is already in use`)
  })
  test('serves other machines only when asked, and only under its own addresses', async () => {
    await using remote = await openConsole({ args: ['--host', '0.0.0.0', '--dangerously-allow-remote'] })
    expect(remote.stderr()).toContain('other machines can reach the console at 0.0.0.0')
    expect((await remote.ask('GET', api)).status).toBe(200)
    const { port, authorization } = remote
    const foreign = `GET ${api} HTTP/1.1\r\nhost: evil.example:${port}\r\nauthorization: ${authorization}\r\nconnection: close\r\n\r\n`
    expect(statusOf(await remote.raw(foreign))).toBe(421)
  })
  test('opens the address in the browser, as one argument and without a shell', async () => {
    await using dir = await openTempDir()
    await writeFile(
      join(dir.path, 'xdg-open'),
      `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > '${dir.path}/opened.new' && mv '${dir.path}/opened.new' '${dir.path}/opened'\nexit 3\n`,
      { mode: 0o755 },
    )
    const PATH = `${dir.path}:${process.env['PATH'] ?? ''}`
    const opened = () => readFile(join(dir.path, 'opened'), 'utf8').catch(() => '')
    await using seen = await openConsole({ opens: true, env: { PATH, DISPLAY: ':7' } })
    expect(await until('the browser', opened)).toBe(`1\n${seen.url}\n`)
    await rm(join(dir.path, 'opened'))
    const noBrowser: readonly ConsoleOptions[] = [
      { opens: true, env: { PATH } },
      { env: { PATH, DISPLAY: ':7' } },
      { opens: true, env: { PATH: '/nowhere', DISPLAY: ':7' } },
    ]
    for (const options of noBrowser) {
      await using unseen = await openConsole(options)
      expect((await unseen.ask('GET', api)).status).toBe(200)
    }
    expect(await opened()).toBe('')
  })
  test.each(['x', '-1', '70000', '1.5', ''])('does not take %o for a port', async (port) => {
    expect((await run(`--port=${port}`)).code).toBe(2)
  })
})
