import { writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesOf, leaksIn } from '../support/canaries.ts'
import {
  addressIn,
  browse,
  runLogin,
  startLoginServer,
  type LoginRun,
  type LoginServer,
} from '../support/login-lab.ts'
import { openMcpLab, type McpLab } from './mcp-lab.ts'

type LoginOptions = Omit<Parameters<typeof runLogin>[1], 'env'>

/** Runs the command in a process of its own. */
function loginProcess(lab: McpLab, args: readonly string[], options: LoginOptions = {}): Promise<LoginRun> {
  return runLogin([...args, '--state-dir', lab.stateDir], { env: lab.env, ...options })
}

/** Runs it in this process. */
async function login(
  lab: McpLab,
  args: readonly string[],
  { browser = browse, input }: LoginOptions = {},
): Promise<LoginRun> {
  let browsing: Promise<Response | undefined> | undefined
  const run = await lab.run(['login', ...args], {
    ...(input !== undefined && { input }),
    onStderr(text) {
      const url = addressIn(text)
      if (url !== undefined) browsing ??= browser(url, () => undefined)
    },
  })
  return { ...run, page: await browsing }
}

async function openLab(server: LoginServer): Promise<McpLab> {
  const lab = await openMcpLab()
  await lab.run(['add', 'web', server.mcp])
  return lab
}

const loginOf = async (lab: McpLab) => (await lab.list())[0]?.['login']

describe('a login', () => {
  test('uses the browser, is stored, used by later commands, and deleted and revoked', async () => {
    await using server = await startLoginServer()
    await using lab = await openLab(server)
    const before = await lab.run(['test', 'web'])
    expect(before).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('web: It needs a login. Run: ostler mcp login web'),
    })
    expect((await lab.run(['list'])).stdout).toContain('needs login')

    const { code, stdout, page, stderr } = await loginProcess(lab, ['web'])
    expect({ code, stdout }, stderr).toEqual({
      code: 0,
      stdout: "Logged in to 'web'. The login is in an encrypted file.\n",
    })
    expect(await page?.text()).toContain('You can close this tab')
    expect(page?.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page?.headers.get('cache-control')).toBe('no-store')

    const [asked] = server.requests('/authorize')
    expect(asked?.query).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      resource: server.mcp,
      scope: 'read write',
    })
    expect(asked?.query['state']).toHaveLength(43)
    expect(new URLSearchParams(server.requests('/token')[0]?.body).get('resource')).toBe(server.mcp)
    expect(JSON.parse(server.requests('/register')[0]?.body ?? '')).toMatchObject({
      client_name: 'Ostler',
      application_type: 'native',
    })

    expect((await lab.run(['list'])).stdout).toContain('logged in')
    expect(await lab.run(['call', 'web', 'echo', 'message=hi'])).toMatchObject({
      code: 0,
      stdout: 'Echo: hi\n',
    })
    const refused = server.requests('/mcp').filter(({ authorization }) => authorization === undefined).length
    expect(await lab.run(['test', 'web'])).toMatchObject({ code: 0 })
    expect(server.requests('/mcp').filter(({ authorization }) => authorization === undefined)).toHaveLength(
      refused,
    )

    expect(await lab.run(['logout', 'web'])).toEqual({
      code: 0,
      stdout: "Logged out of 'web'.\n",
      stderr: '',
    })
    expect(
      server.requests('/revoke').map(({ body }) => new URLSearchParams(body).get('token_type_hint')),
    ).toEqual(['refresh_token', 'access_token'])
    expect(await loginOf(lab)).toBeUndefined()
    expect((await lab.run(['test', 'web'])).code).toBe(1)
    expect((await lab.run(['logout', server.mcp])).stdout).toBe(
      `You were not logged in to '${server.mcp}'.\n`,
    )
  })

  test('with a URL applies to the server of that URL', async () => {
    await using server = await startLoginServer()
    await using lab = await openLab(server)
    expect(await login(lab, [`${server.mcp}?more=1`])).toMatchObject({ code: 0 })
    expect(await loginOf(lab)).toBe('done')
    expect(await lab.run(['call', 'web', 'echo', 'message=hi'])).toMatchObject({ code: 0 })
  })

  test.each([
    ['a token', ['--auth-bearer', 'wrong-token'], ' --auth-bearer -'],
    ['a key', ['--auth-api-key', 'wrong-key'], ' --auth-api-key -'],
    ['a header', ['-H', 'Authorization: Bearer wrong'], " --header 'NAME: VALUE'"],
  ])('is not the advice for a server that refuses %s of its entry', async (_, flags, advice) => {
    await using server = await startLoginServer()
    await using lab = await openMcpLab()
    await lab.run(['add', 'web', server.mcp, ...flags])
    const { code, stderr } = await lab.run(['test', 'web'])
    expect(stderr).toContain(
      `ostler: web: needs authorization (HTTP 401); it refuses what its entry sends. To replace that: ostler mcp update web${advice}\n`,
    )
    expect(code).toBe(1)
  })

  test('requests the scopes that it is given', async () => {
    await using server = await startLoginServer({
      metadata: { scopes_supported: ['read', 'offline_access'] },
    })
    await using lab = await openLab(server)
    expect(await login(lab, ['web', '--scope', 'read'])).toMatchObject({ code: 0 })
    expect(server.requests('/authorize')[0]?.query).toMatchObject({ scope: 'read offline_access' })
  })

  test('needs a client if programs cannot register; the client is remembered with its secret', async () => {
    const secret = 'client-secret-8c51f0aa'
    await using server = await startLoginServer({ registration: false, client: { id: 'by-hand', secret } })
    await using lab = await openLab(server)
    const refused = await login(lab, ['web'])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('pass its ID with --client-id'),
    })
    const done = await login(lab, ['web', '--client-id', 'by-hand', '--secret-stdin'], {
      input: `${secret}\n`,
    })
    expect(done, done.stderr).toMatchObject({ code: 0 })
    expect(await login(lab, ['web'])).toMatchObject({ code: 0 })
    expect(server.requests('/token').map(({ authorization }) => authorization?.split(' ')[0])).toEqual([
      'Basic',
      'Basic',
    ])
    expect(leaksIn(await filesOf(lab.stateDir), { secret })).toEqual([])
    expect(leaksIn({ refused: refused.stderr, done: done.stdout + done.stderr }, { secret })).toEqual([])
  })

  test("sends a client's secret only to the authorization server that it is for: the named one, or that of the login before", async () => {
    const secret = 'client-secret-8c51f0aa'
    const client = { id: 'by-hand', secret }
    await using other = await startLoginServer({ client })
    const resource: { authorization_servers?: string[] } = {}
    await using server = await startLoginServer({ registration: false, client, resource })
    await using moved = await startLoginServer({ resource: { authorization_servers: [other.url] } })
    await using lab = await openLab(server)
    const flags = ['--client-id', 'by-hand', '--secret-stdin']
    const run = (...args: string[]) => login(lab, args, { input: `${secret}\n` })

    const named = await run(moved.mcp, ...flags, '--issuer', server.url)
    expect(named).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`(${other.url}) than the issuer ${server.url}. Nothing was sent`),
    })
    expect(await run('web', ...flags, '--issuer', `${server.url}/`)).toMatchObject({ code: 0 })

    // The server has been taken over.
    resource.authorization_servers = [other.url]
    const changed = await run('web', ...flags)
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('log in with --issuer') })
    expect(other.requests().filter(({ path }) => !path.startsWith('/.well-known'))).toEqual([])
    expect(await run('web', ...flags, '--issuer', other.url)).toMatchObject({
      stderr: expect.stringContaining('invalid_target'),
    })
  })

  test("sends nothing to another authorization server than the issuer in the server's entry", async () => {
    await using other = await startLoginServer()
    await using server = await startLoginServer({ resource: { authorization_servers: [other.url] } })
    await using lab = await openMcpLab()
    const auth = { type: 'oauth', clientId: 'by-hand', issuer: server.url }
    const entry = JSON.stringify({
      mcpServers: { web: { type: 'http', url: server.mcp, auth, mode: 'dynamic', defaultToolConfig: {} } },
    })
    const agentFile = join(lab.path, 'ostler.json')
    await writeFile(agentFile, entry)
    expect(await login(lab, ['web', '--agent', agentFile])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('than the issuer'),
    })
    expect(other.requests('/authorize')).toEqual([])
  })

  test('has tokens for this server only, unless the person accepts the wider resource that the server names; it is remembered', async () => {
    const resource: { resource?: string } = {}
    await using server = await startLoginServer({ resource })
    resource.resource = `${server.url}/`
    await using lab = await openLab(server)
    const refused = await login(lab, ['web'])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`log in with --resource ${server.url}/,`),
    })
    expect(await login(lab, ['web', '--resource', `${server.url}/mc`])).toMatchObject({ code: 1 })
    resource.resource = `${server.url}/?x=$(touch /tmp/owned)`
    expect((await login(lab, ['web'])).stderr).toContain(`log in with --resource ${server.url}/,`)
    resource.resource = `${server.url}/`
    expect(server.requests('/authorize')).toEqual([])
    const accepted = await login(lab, ['web', '--resource', server.url])
    expect(accepted, accepted.stderr).toMatchObject({ code: 0 })
    expect(await login(lab, ['web'])).toMatchObject({ code: 0 })
    resource.resource = `${server.mcp}/`
    expect(await login(lab, ['web'])).toMatchObject({ code: 0 })
  })

  test('accepts that a host names itself in the metadata at its root', async () => {
    const challenge: { resource_metadata?: string } = {}
    await using server = await startLoginServer({ challenge })
    challenge.resource_metadata = `${server.url}/.well-known/oauth-protected-resource`
    await using lab = await openLab(server)
    const done = await login(lab, ['web'])
    expect(done, done.stderr).toMatchObject({ code: 0 })
    expect(server.requests('/authorize').map(({ query }) => query['resource'])).toEqual([server.url])
  })

  test('uses the address of a client document as the ID, where that is supported', async () => {
    const document = 'https://example.com/ostler-client.json'
    await using server = await startLoginServer({
      metadata: { client_id_metadata_document_supported: true },
      client: { id: document },
    })
    await using lab = await openLab(server)
    expect(await login(lab, ['web', '--client-metadata-url', 'https://example.com'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('must be an https URL with a path'),
    })
    const done = await login(lab, ['web', '--client-metadata-url', document])
    expect(done, done.stderr).toMatchObject({ code: 0 })
    expect(await login(lab, ['web'])).toMatchObject({ code: 0 })
    expect(server.requests('/authorize').map(({ query }) => query['client_id'])).toEqual([document, document])
    expect(server.requests('/register')).toEqual([])
  })

  test('is not needed for a server whose entry has the credentials of a program', async () => {
    const secret = 'client-secret-77ac10de'
    await using server = await startLoginServer({ registration: false, client: { id: 'robot', secret } })
    await using lab = await openMcpLab()
    const flags = ['--auth-client', 'robot', '--auth-issuer', server.url, '--secret-stdin']
    expect(await lab.run(['add', 'web', server.mcp, ...flags], { input: `${secret}\n` })).toMatchObject({
      code: 0,
    })
    expect(await lab.run(['call', 'web', 'echo', 'message=hi'])).toMatchObject({
      code: 0,
      stdout: 'Echo: hi\n',
    })
    expect(await login(lab, ['web'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already has credentials'),
    })
    expect(leaksIn(await filesOf(lab.stateDir), { secret, ...server.secrets() })).toEqual([])
  })

  test('ends on Ctrl-C, and leaves nothing', async () => {
    await using server = await startLoginServer()
    await using lab = await openLab(server)
    const stopped = await loginProcess(lab, ['web'], {
      async browser(_url, stop) {
        stop()
        return undefined
      },
    })
    expect(stopped).toMatchObject({ code: 130, stderr: expect.stringContaining('ostler: cancelled') })
    expect(await loginOf(lab)).toBeUndefined()
  })
})

describe('a login is refused', () => {
  const cases: readonly (readonly [string, object, string])[] = [
    [
      'by the person',
      { deny: true },
      'The authorization server rejected the request: access_denied: Not today',
    ],
    ['with another state', { state: 'of-somebody-else' }, 'The browser returned from a different login'],
    [
      'by another issuer',
      { iss: 'https://other.example' },
      'The issuer of the authorization server does not match',
    ],
    [
      'with a code that has expired',
      { codeMsMax: -1 },
      'The authorization server rejected the request: invalid_grant: It is of no more use',
    ],
    [
      'with metadata of another issuer',
      { metadata: { issuer: 'https://other.example' } },
      'The issuer of the authorization server does not match',
    ],
    [
      'for another resource',
      { resource: { resource: 'https://other.example/mcp' } },
      'is for another server',
    ],
    ['without PKCE', { metadata: { code_challenge_methods_supported: ['plain'] } }, 'The login failed: '],
    [
      'at an address of a cloud',
      { challenge: { resource_metadata: 'http://169.254.169.254/latest' } },
      'it is not an https address',
    ],
    [
      'there over https',
      { challenge: { resource_metadata: 'https://169.254.169.254/latest' } },
      'it leads to a link-local network',
    ],
    [
      'at an address of a private network',
      { challenge: { resource_metadata: 'https://10.0.0.1/' } },
      'it leads to a private network',
    ],
    [
      'at one that hides in IPv6',
      { challenge: { resource_metadata: 'https://[::ffff:10.0.0.1]/' } },
      'it leads to a private network',
    ],
    [
      'by an authorization server there',
      { resource: { authorization_servers: ['https://192.168.1.1'] } },
      'it leads to a private network',
    ],
    [
      'by one without encryption',
      { resource: { authorization_servers: ['http://example.org'] } },
      'it is not an https address',
    ],
    [
      'at an invalid page',
      { metadata: { authorization_endpoint: 'https://10.0.0.1/x' } },
      'it leads to a private network',
    ],
    ['at a page of another kind', { metadata: { authorization_endpoint: 'file:///etc/passwd' } }, ''],
    [
      'at a token endpoint there',
      { metadata: { token_endpoint: 'https://169.254.169.254/token' } },
      'it leads to a link-local network',
    ],
    ['with a page in place of metadata', { metadata: { token_endpoint: 7 } }, 'sent an invalid response'],
  ]
  test.each(cases)('%s', async (_, differences, reason) => {
    await using server = await startLoginServer(differences)
    await using lab = await openLab(server)
    const { code, stdout, stderr } = await login(lab, ['web'])
    expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(reason)
    // oxlint-disable-next-line no-control-regex -- Control characters are what this is about.
    expect(stderr).not.toMatch(/\u001b/)
    expect(stderr).not.toContain('unexpected')
    expect(await loginOf(lab)).not.toBe('done')
  })

  test('if its metadata are at another location', async () => {
    await using other = await startLoginServer()
    await using server = await startLoginServer({
      redirectMetadata: `${other.url}/.well-known/oauth-protected-resource/mcp`,
    })
    await using lab = await openLab(server)
    await login(lab, ['web'])
    expect(other.requests()).toEqual([])
  })

  test('by a server without logins, and for one that needs none', async () => {
    await using lab = await openMcpLab()
    await lab.run(['add', 'local', '--', 'true'])
    await lab.run(['add', 'keyed', 'https://mcp.example.com/mcp', '--auth-bearer', 'tok-4f9c1b7e0d2a'])
    expect(await login(lab, ['local'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('runs on this machine'),
    })
    expect(await login(lab, ['keyed'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already has credentials'),
    })
    expect(await login(lab, ['nobody'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no server named 'nobody'"),
    })
    expect(await login(lab, [])).toMatchObject({ code: 2 })
    expect(await login(lab, ['local', '--client-secret'])).toMatchObject({ code: 2 })
    for (const flag of ['--issuer', '--resource', '--client-metadata-url'])
      expect(await login(lab, ['https://far.invalid', flag, '/x'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${flag} must be a URL like https://login.example, but is '/x'`),
      })
  })
})

test('the listener answers one request to one path under its own name, and no other', async () => {
  await using server = await startLoginServer()
  await using lab = await openLab(server)
  const statuses: (number | undefined)[] = []
  const done = await login(lab, ['web'], {
    async browser(url) {
      const { searchParams } = new URL(url)
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      const ask = (path: string, options: { method?: string; host?: string } = {}) =>
        new Promise<number | undefined>((resolve, reject) => {
          const { method = 'GET', host = back.host } = options
          httpRequest(
            { host: back.hostname, port: back.port, path, method, headers: { host } },
            (response) => {
              response.resume()
              resolve(response.statusCode)
            },
          )
            .on('error', reject)
            .end()
        })
      statuses.push(
        await ask('/'),
        await ask('/callback/'),
        await ask('/x/../callback'),
        await ask(`/callback?state=${searchParams.get('state')}&code=x`, { method: 'POST' }),
        await ask(`/callback?state=${searchParams.get('state')}&code=x`, {
          host: `evil.example:${back.port}`,
        }),
      )
      return browse(url)
    },
  })
  expect(statuses).toEqual([404, 404, 404, 404, 404])
  expect(done, done.stderr).toMatchObject({ code: 0 })
})

test('no output and no stored file contains tokens, codes or verifiers', async () => {
  await using server = await startLoginServer({ expiresIn: 1 })
  await using lab = await openLab(server)
  const done = await login(lab, ['web'])
  const outputs: Record<string, string> = { login: done.stdout + done.stderr }
  for (const args of [
    ['list'],
    ['list', '--json'],
    ['test', 'web'],
    ['call', 'web', 'echo'],
    ['export', '--with-secrets'],
  ]) {
    const { stdout, stderr } = await lab.run(args)
    outputs[args.join(' ')] = stdout + stderr
  }
  await server.control('forget')
  const failed = await lab.run(['test', 'web'])
  outputs['failed'] = failed.stdout + failed.stderr
  expect(failed.code).toBe(1)
  const secrets = server.secrets()
  expect(Object.keys(secrets).map((name) => name.split(' ')[0])).toEqual(
    expect.arrayContaining(['access', 'code', 'code_verifier', 'refresh_token']),
  )
  expect(leaksIn({ ...outputs, ...(await filesOf(lab.stateDir)) }, secrets)).toEqual([])
})

test("a check of a server's URL uses the login for it, and says how to get one", async () => {
  await using server = await startLoginServer()
  await using lab = await openMcpLab()
  const before = await lab.run(['check', server.mcp])
  expect(before).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`- It needs a login. Run: ostler mcp login ${server.mcp}`),
  })
  const done = await login(lab, [server.mcp])
  expect(done, done.stderr).toMatchObject({ code: 0 })
  expect(await lab.run(['check', server.mcp])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 tool, 0 prompts, 0 resources'),
  })
})
