import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { OstlerError } from '../../packages/agent-api/src/index.ts'
import type { ServerIssue } from '../../packages/agent-api/src/servers/stored/resolve-server.ts'
import type { ServerService } from '../../packages/workbench/src/index.ts'
import { connect, errorOf, openServiceLab, stdioEntry } from '../support/service-lab.ts'
import { until } from '../support/processes.ts'

const token = 'tok-4f9c1b7e0d2a-LAST'
const password = 'correct horse battery'

const whole = (over: object = {}) => ({ ...stdioEntry('whole-server.mjs', 'stdio'), ...over })

const issuesOf = async (work: Promise<unknown>) =>
  (await errorOf(work)).data['issues'] as readonly ServerIssue[]
const namesOf = async (service: ServerService) => (await service.listServers()).map(({ name }) => name)

describe('a stored server', () => {
  it('is kept with an id, times and its description, and found by another service', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    expect(await service.listServers()).toEqual([])
    expect(existsSync(lab.stateDir)).toBe(false)

    const added = await service.addServer({ name: 'whole', entry: whole({ description: 'Has it all' }) })
    expect(added).toEqual({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4/),
      name: 'whole',
      description: 'Has it all',
      origin: 'stored',
      shadowed: false,
      enabled: true,
      transport: 'stdio',
      entry: {
        ...whole({ description: 'Has it all' }),
        mode: 'dynamic',
        defaultToolConfig: {},
        enabled: true,
      },
      secrets: [],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: added.createdAt,
      status: { state: 'disconnected' },
    })
    const other = await lab.open()
    expect(await other.listServers()).toEqual([added])
    expect(await other.getServer('whole')).toEqual(added)
    expect(await other.getServer(added.id)).toEqual(added)
  })

  it('is changed field by field, renamed, disabled and removed', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const { id, createdAt } = await service.addServer({
      name: 'whole',
      entry: whole({ description: 'Old', timeout: '5s' }),
    })

    await until('a later moment', () => new Date().toISOString() > String(createdAt))
    const updated = await service.updateServer(id, {
      name: 'new',
      entry: { description: 'New', timeout: null },
      enabled: false,
    })
    expect(updated).toMatchObject({ id, name: 'new', description: 'New', enabled: false, createdAt })
    expect(String(updated.updatedAt) > String(createdAt)).toBe(true)
    expect(updated.entry).toEqual({
      ...whole({ description: 'New' }),
      mode: 'dynamic',
      defaultToolConfig: {},
      enabled: false,
    })
    const bare = await service.updateServer(id, { entry: { description: '' } })
    expect(bare.description).toBeUndefined()
    const remote = await service.updateServer(id, {
      entry: { description: 'New', type: 'http', url: 'https://example.com/mcp' },
    })
    expect(remote).toMatchObject({ transport: 'http' })
    expect(Object.keys(remote.entry).toSorted()).toEqual([
      'defaultToolConfig',
      'description',
      'enabled',
      'mode',
      'type',
      'url',
    ])

    expect(await service.removeServer(id)).toEqual({})
    expect(await namesOf(service)).toEqual([])
    for (const work of [
      service.removeServer(id),
      service.updateServer(id, {}),
      connect(service, id),
      service.getServer('new'),
    ])
      expect((await errorOf(work)).code).toBe('servers.unknown')
  })

  it('is disabled and enabled by the field of other programs as well', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const { id } = await service.addServer({ name: 'whole', entry: whole() })
    const disabled = async (value: boolean) =>
      (await service.updateServer(id, { entry: { disabled: value } })).enabled
    expect(await disabled(true)).toBe(false)
    expect(await disabled(false)).toBe(true)
  })

  it('needs a unique name among stored servers', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    await service.addServer({ name: 'one', entry: whole({ env: { API_TOKEN: token } }) })
    const { id } = await service.addServer({ name: 'two', entry: whole() })
    const secretsBefore = await readFile(join(lab.stateDir, 'secrets.json'), 'utf8')
    expect(
      await errorOf(
        service.addServer({ name: 'one', entry: whole({ env: { API_TOKEN: 'other-token-77' } }) }),
      ),
    ).toMatchObject({
      code: 'servers.name_taken',
      message: "There is already a stored server named 'one'. Choose another name, or change that server.",
      data: { issues: [{ path: ['name'], message: 'is already used by another stored server' }] },
    })
    expect((await errorOf(service.updateServer(id, { name: 'one' }))).code).toBe('servers.name_taken')
    expect(await namesOf(service)).toEqual(['one', 'two'])
    expect(await readFile(join(lab.stateDir, 'secrets.json'), 'utf8')).toBe(secretsBefore)
  })

  it('is the same in another process: of two simultaneous updates both apply, or one is refused', async () => {
    await using lab = await openServiceLab()
    const [one, other] = [await lab.open(), await lab.open()]
    const { id } = await one.addServer({ name: 'shared', entry: whole({ env: { API_TOKEN: token } }) })
    const results = await Promise.allSettled([
      one.updateServer(id, { entry: { env: { API_TOKEN: 'first-token-1' } } }),
      other.updateServer(id, { entry: { env: { API_TOKEN: 'second-token-2' } } }),
    ])
    const refused = results
      .filter((result) => result.status === 'rejected')
      .map(({ reason }) => (reason as OstlerError).code)
    expect(refused.length).toBeLessThan(2)
    expect(refused.every((code) => code === 'servers.changed')).toBe(true)
    await connect(one, id)
    expect((await one.server(id).call('length', { name: 'API_TOKEN' }, { origin: 'command' })).outcome).toBe(
      'success',
    )
  })
})

describe("a server's problems", () => {
  it('are reported all at once, field by field, in the words of the agent file', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const entry = {
      type: 'http',
      url: 'http://example.com',
      timeout: '1ms',
      retryAttempts: 9,
      mod: 'strict',
      headers: { Accept: 1 },
    }
    const error = await errorOf(service.addServer({ name: '', entry }))
    expect(error).toMatchObject({ code: 'config.invalid' })
    expect(error.data['issues']).toEqual(
      expect.arrayContaining([
        { path: ['name'], message: 'must not be empty' },
        { path: ['timeout'], message: 'must be between 1000 ms and 300000 ms, but is 1 ms' },
        { path: ['retryAttempts'], message: 'found 9; expected at most 5' },
        { path: ['mod'], message: "unknown field; did you mean 'mode'?" },
        { path: ['headers', 'Accept'], message: 'found a number; expected string' },
        {
          path: ['url'],
          message: 'must use https: plain http to other machines requires allowInsecureHttp: true',
        },
      ]),
    )
    expect(error.message.split('\n')).toHaveLength(7)
    expect(existsSync(lab.stateDir)).toBe(false)
  })

  it.each([
    [{}, ['type'], 'missing; expected a command or a url'],
    [{ type: 'stdio' }, ['command'], 'missing; expected string'],
    [{ type: 'stdio', command: 'x', mode: 'loose' }, ['mode'], 'found "loose"; expected strict or dynamic'],
    [{ type: 'stdio', command: 'x', url: 'https://a' }, ['url'], 'unknown field for this type'],
  ])('%j', async (entry, path, message) => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    expect(await issuesOf(service.addServer({ name: 'x', entry }))).toContainEqual({ path, message })
  })

  it.each(['a\nb', ' a', 'file:a', 'x'.repeat(101)])('is a name like %j', async (name) => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    expect((await issuesOf(service.addServer({ name, entry: whole() })))[0]?.path).toEqual(['name'])
  })

  it('do not repeat a secret', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const error = await errorOf(
      service.addServer({
        name: 'x',
        entry: { type: 'http', url: `ftp://me:${token}@example.com`, retryAttempts: token },
      }),
    )
    expect(JSON.stringify([error.message, error.data])).not.toContain(token)
  })

  it('do not include unset variables, which are checked on connecting', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const { id, entry } = await service.addServer({
      name: 'later',
      entry: { type: 'http', url: '${BASE}/mcp', timeout: '${WAIT}' },
    })
    expect(entry).toMatchObject({ url: '${BASE}/mcp' })
    const error = await errorOf(connect(service, id))
    expect(error.data['issues']).toEqual([
      { path: ['url'], message: 'the variable BASE is not set; ${BASE:-default} gives it a value' },
      { path: ['timeout'], message: 'the variable WAIT is not set; ${WAIT:-default} gives it a value' },
    ])
    expect(service.server(id).status).toEqual({
      state: 'error',
      reason: error.message,
      willRetry: false,
    })
  })
})

it('stores an entry of other programs in its own names, with a type', async () => {
  await using lab = await openServiceLab()
  const service = await lab.open()
  const added = await service.addServer({ name: 'web', entry: { serverUrl: 'https://a.example/sse' } })
  expect(added).toMatchObject({ transport: 'sse', entry: { type: 'sse', url: 'https://a.example/sse' } })
})

describe('secrets of a stored server', () => {
  const entry = whole({
    env: {
      API_TOKEN: token,
      PIN_NUMBER: 'not-a-secret',
      NOTE: password,
      URL: `postgres://me:${password.replaceAll(' ', '_')}@db`,
    },
  })

  it('are in no file of the state in plain text, and reach the server unchanged', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const view = await service.addServer({ name: 'whole', entry, secret: { env: ['NOTE'] } })
    expect(view.secretStore).toBe('file')
    expect(view.entry['env']).toEqual({
      API_TOKEN: '${secret:env.API_TOKEN}',
      PIN_NUMBER: expect.anything(),
      NOTE: '${secret:env.NOTE}',
      URL: 'postgres://me:${secret:env.URL.password}@db',
    })
    expect(view.secrets).toContainEqual({ name: 'env.API_TOKEN', set: true, lastFour: 'LAST' })
    const { result } = await service
      .server(view.id)
      .call('length', { name: 'API_TOKEN' }, { origin: 'command' })
    expect(result.content).toEqual([{ type: 'text', text: String(token.length) }])
    // The server reveals its variable, which is redacted before it is shown or stored.
    const told = await service.server(view.id).call('variable', { name: 'API_TOKEN' }, { origin: 'command' })
    expect(told.result.content).toEqual([{ type: 'text', text: '[redacted]' }])

    for (const secret of [
      token,
      password,
      password.replaceAll(' ', '_'),
      Buffer.from(token).toString('base64'),
    ]) {
      expect(await lab.stateBytes()).not.toContain(secret)
      expect(JSON.stringify(await service.listServers())).not.toContain(secret)
    }
    await service[Symbol.asyncDispose]()
    expect(await lab.stateBytes()).not.toContain(token)
  })

  it('stay where an update has their placeholder or does not mention them', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const { id, entry: sealed } = await service.addServer({ name: 'whole', entry, secret: { env: ['NOTE'] } })
    const env = sealed['env'] as Record<string, string>
    await service.updateServer(id, { entry: { description: 'New' } })
    const updated = await service.updateServer(id, {
      entry: { env: { ...env, API_TOKEN: 'another-token-NEW1' } },
    })
    expect(updated.entry['env']).toEqual(env)
    expect(updated.secrets).toContainEqual({ name: 'env.API_TOKEN', set: true, lastFour: 'NEW1' })
    const lengths = async (name: string) =>
      (await service.server(id).call('length', { name }, { origin: 'command' })).result.content[0]
    expect(await lengths('API_TOKEN')).toEqual({ type: 'text', text: '18' })
    expect(await lengths('NOTE')).toEqual({ type: 'text', text: String(password.length) })

    // A marked variable stays secret, whatever its value.
    const marked = await service.updateServer(id, { entry: { env: { NOTE: 'plain words' } } })
    expect(marked.entry['env']).toEqual({ NOTE: '${secret:env.NOTE}' })
    const error = await errorOf(service.updateServer(id, { entry: { env: { NOTE: '${secret:env.GONE}' } } }))
    expect(error.code).toBe('secrets.missing')
  })

  it('are deleted with the server, and with its last secret', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const { id } = await service.addServer({ name: 'one', entry })
    const entries = async () =>
      Object.keys(
        (JSON.parse(await readFile(join(lab.stateDir, 'secrets.json'), 'utf8')) as { entries: object })
          .entries,
      )
    expect(await entries()).toEqual([`server/${id}`])
    const without = await service.updateServer(id, { entry: { env: null } })
    expect(without).toMatchObject({ secrets: [] })
    expect(without.secretStore).toBeUndefined()
    expect(await entries()).toEqual([])
    await service.updateServer(id, { entry: { env: { API_TOKEN: token } } })
    await service.removeServer(id)
    expect(await entries()).toEqual([])
  })

  it('prevent the server from being added if they cannot be stored', async () => {
    await using lab = await openServiceLab()
    const before = await lab.open()
    await before.addServer({ name: 'old', entry })
    await writeFile(
      join(lab.stateDir, 'secrets.json'),
      '{"version":1,"entries":{"x":{"iv":"AA","tag":"AA","data":"AA"}}}',
    )
    const service = await lab.open()
    const error = await errorOf(service.addServer({ name: 'new', entry }))
    expect(error.code).toMatch(/^secrets\./)
    expect(error.message).toContain('cannot be decrypted')
    expect(await namesOf(service)).toEqual(['old'])
    // A server without secrets needs no store.
    await service.addServer({ name: 'plain', entry: whole() })
    expect(await namesOf(service)).toEqual(['old', 'plain'])
  })

  it('make it an error with its reason if they cannot be read, and nothing is started without them', async () => {
    await using lab = await openServiceLab()
    const first = await lab.open()
    const { id } = await first.addServer({ name: 'whole', entry })
    await first[Symbol.asyncDispose]()
    await writeFile(join(lab.stateDir, 'secrets.key'), Buffer.alloc(32, 7))
    const service = await lab.open()
    const [view] = await service.listServers()
    expect(view).toMatchObject({ status: { state: 'error', willRetry: false }, secretStore: 'file' })
    expect(view?.status.reason).toContain('cannot be decrypted')
    expect(view?.secrets).toContainEqual({ name: 'env.API_TOKEN', set: false })
    expect((await errorOf(connect(service, id))).code).toBe('secrets.undecryptable')
    expect((await errorOf(service.server(id).call('add', { a: 1, b: 1 }, { origin: 'command' }))).code).toBe(
      'secrets.undecryptable',
    )
    // It can be disabled and removed; what could not be deleted is reported.
    expect(await service.updateServer(id, { enabled: false })).toMatchObject({ enabled: false })
    expect((await service.removeServer(id)).warning).toContain('its secrets are still in the secret store')
    expect(await service.listServers()).toEqual([])
  })

  it('in memory last as long as the service that was asked for it', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open({ secretStore: 'memory' })
    const { id } = await service.addServer({ name: 'whole', entry })
    expect(
      (await service.server(id).call('length', { name: 'API_TOKEN' }, { origin: 'command' })).outcome,
    ).toBe('success')
    const other = await lab.open()
    expect((await other.listServers())[0]).toMatchObject({
      secretStore: 'memory',
      status: { state: 'error' },
    })
    expect((await errorOf(connect(other, id))).message).toContain('an Ostler process that has ended')
  })

  it('are stored where OSTLER_SECRET_STORE says', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open({ secretStore: undefined, env: { OSTLER_SECRET_STORE: 'file' } })
    expect(await service.secretStore()).toEqual({ kind: 'file' })
    expect(
      (await errorOf(lab.open({ secretStore: undefined, env: { OSTLER_SECRET_STORE: 'safe' } }))).message,
    ).toBe("OSTLER_SECRET_STORE: found 'safe'; expected keyring or file or memory")
  })
})

describe('servers of the agent file', () => {
  it('are listed first, read-only, and take precedence over stored ones of the same name', async () => {
    await using lab = await openServiceLab()
    const file = await lab.writeAgentFile({
      mcpServers: {
        whole: {
          ...whole({ env: { API_TOKEN: token } }),
          mode: 'dynamic',
          defaultToolConfig: {},
          description: 'From the file',
        },
      },
    })
    const service = await lab.open({ file })
    const stored = await service.addServer({ name: 'whole', entry: whole() })
    expect(stored.shadowed).toBe(true)
    const [own, ...others] = await service.listServers()
    expect(own).toMatchObject({
      id: 'file:whole',
      origin: 'file',
      shadowed: false,
      description: 'From the file',
      enabled: true,
    })
    expect(own?.entry['env']).toEqual({ API_TOKEN: '${secret:env.API_TOKEN}' })
    expect(own?.secrets).toEqual([{ name: 'env.API_TOKEN', set: true, lastFour: 'LAST' }])
    expect(others).toEqual([stored])
    expect(await service.getServer('whole')).toEqual(own)
    for (const work of [service.updateServer('file:whole', {}), service.removeServer('file:whole')])
      expect(await errorOf(work)).toMatchObject({
        code: 'servers.read_only',
        message: "The server 'whole' is defined in the agent file. Change it there.",
      })
    expect(await connect(service, 'file:whole')).toMatchObject({ server: { name: 'whole' } })
  })
})

describe('a change by another process', () => {
  it('is reported, and ends a connection with the old configuration', async () => {
    await using lab = await openServiceLab()
    const [service, other] = [await lab.open(), await lab.open()]
    let changes = 0
    service.onChange(() => changes++)
    const { id } = await other.addServer({ name: 'whole', entry: whole() })
    await until('word of the new server', () => changes > 0)
    await connect(service, id)
    const server = service.server(id)
    await other.removeServer(id)
    await until('the end of the connection', () => server.status.state === 'disconnected')
    expect(await service.listServers()).toEqual([])
  })

  it('renews a connection with the old configuration, although nobody uses it', async () => {
    await using lab = await openServiceLab()
    const [service, other] = [await lab.open(), await lab.open()]
    const { id } = await other.addServer({ name: 'whole', entry: whole() })
    const server = service.server(id)
    const { client } = await server.use()
    await other.updateServer(id, { entry: { timeout: '7s' } })
    await service.listServers()
    expect(client.status.state).not.toBe('connected')
    await until('the new connection', () => server.status.state === 'connected')
    expect((await server.use()).client).not.toBe(client)
  })
})
