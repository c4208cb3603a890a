import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  describeSecrets,
  sealSecrets,
  unsealSecrets,
  type ServerEntry,
} from '../../../packages/agent-api/src/secret-store/seal-secrets.ts'
import { secretsOf } from '../../../packages/agent-api/src/mcp/secrets-of.ts'

const stdio = (over: object): ServerEntry => ({ type: 'stdio', command: 'c', ...over })
const http = (over: object): ServerEntry => ({ type: 'http', url: 'https://example.com/mcp', ...over })

describe('sealSecrets', () => {
  it.each<[string, ServerEntry, Record<string, string>, object]>([
    [
      'a variable',
      stdio({ env: { API_KEY: 'abc', LANG: 'C' } }),
      { 'env.API_KEY': 'abc' },
      { env: { API_KEY: '${secret:env.API_KEY}', LANG: 'C' } },
    ],
    [
      'a header keeps its scheme',
      http({ headers: { Authorization: 'Bearer abc', Accept: '*/*' } }),
      { 'headers.Authorization': 'abc' },
      { headers: { Authorization: 'Bearer ${secret:headers.Authorization}', Accept: '*/*' } },
    ],
    [
      'a bearer token',
      http({ auth: { type: 'bearer', token: 'abc' } }),
      { 'auth.token': 'abc' },
      { auth: { type: 'bearer', token: '${secret:auth.token}' } },
    ],
    [
      'an API key, not the name of its header',
      http({ auth: { type: 'api-key', key: 'k', header: 'x-api-key' } }),
      { 'auth.key': 'k' },
      { auth: { type: 'api-key', key: '${secret:auth.key}', header: 'x-api-key' } },
    ],
    [
      'the secrets of OAuth, not the public parts',
      http({
        auth: {
          type: 'enterprise',
          issuer: 'https://a.example',
          clientId: 'id',
          clientSecret: 's',
          idpClientSecret: 'p',
          idToken: 't',
        },
      }),
      { 'auth.clientSecret': 's', 'auth.idpClientSecret': 'p', 'auth.idToken': 't' },
      {
        auth: {
          type: 'enterprise',
          issuer: 'https://a.example',
          clientId: 'id',
          clientSecret: '${secret:auth.clientSecret}',
          idpClientSecret: '${secret:auth.idpClientSecret}',
          idToken: '${secret:auth.idToken}',
        },
      },
    ],
    [
      'a private key, and the token of a machine',
      http({ auth: { privateKey: 'pem', assertion: 'jwt' } }),
      { 'auth.privateKey': 'pem', 'auth.assertion': 'jwt' },
      { auth: { privateKey: '${secret:auth.privateKey}', assertion: '${secret:auth.assertion}' } },
    ],
    [
      'a password, not its user',
      http({ auth: { type: 'basic', username: 'me', password: 'pw' } }),
      { 'auth.password': 'pw' },
      { auth: { type: 'basic', username: 'me', password: '${secret:auth.password}' } },
    ],
    [
      'an argument after its flag, and in one with it',
      stdio({ args: ['--token', 'abc', '--api-key=def', '-v'] }),
      { 'args.1': 'abc', 'args.2': 'def' },
      { args: ['--token', '${secret:args.1}', '--api-key=${secret:args.2}', '-v'] },
    ],
    [
      'an address among the arguments',
      stdio({ args: ['postgres://me:pw@db/x?sslmode=on'] }),
      { 'args.0.password': 'pw' },
      { args: ['postgres://me:${secret:args.0.password}@db/x?sslmode=on'] },
    ],
    [
      'a password with an apostrophe, and no quote around an address',
      stdio({
        env: { DATABASE: `postgres://me:pass'word@db`, ALL: `['a://me:pw@h/x','b://h/0123456789abcdef']` },
      }),
      { 'env.DATABASE.password': `pass'word`, 'env.ALL.password': 'pw', 'env.ALL.path': '0123456789abcdef' },
      {
        env: {
          DATABASE: 'postgres://me:${secret:env.DATABASE.password}@db',
          ALL: `['a://me:\${secret:env.ALL.password}@h/x','b://h/\${secret:env.ALL.path}']`,
        },
      },
    ],
    [
      'an address that was taken for a command',
      stdio({ command: 'ftp://me:pw@e.com/' }),
      { 'command.password': 'pw' },
      { command: 'ftp://me:${secret:command.password}@e.com/' },
    ],
    [
      'the address of the server',
      http({ url: 'https://me:p%40@e.com/s/0123456789abcdef/mcp?a=1&api_key=k&api_key=l#x' }),
      {
        'url.password': 'p%40',
        'url.path': '0123456789abcdef',
        'url.query.api_key': 'k',
        'url.query.api_key-2': 'l',
      },
      {
        url: 'https://me:${secret:url.password}@e.com/s/${secret:url.path}/mcp?a=1&api_key=${secret:url.query.api_key}&api_key=${secret:url.query.api_key-2}#x',
      },
    ],
    [
      'names that a label cannot have',
      stdio({ env: { 'A TOKEN}': 'x', 'A TOKEN{': 'y' } }),
      { 'env.A_TOKEN_': 'x', 'env.A_TOKEN_-2': 'y' },
      {},
    ],
    [
      'a variable of the environment',
      stdio({ env: { API_KEY: '${KEY}', TOKEN: '${A}:${B:-}' } }),
      {},
      { env: { API_KEY: '${KEY}', TOKEN: '${A}:${B:-}' } },
    ],
    [
      'a header with one',
      http({ headers: { Authorization: 'Bearer ${KEY}' } }),
      {},
      { headers: { Authorization: 'Bearer ${KEY}' } },
    ],
    [
      'a default is not one',
      stdio({ env: { API_KEY: '${KEY:-abc}' } }),
      { 'env.API_KEY': '${KEY:-abc}' },
      {},
    ],
    [
      'nor an invalid name',
      stdio({ env: { API_KEY: '$${KEY}', PIN: 'hunter2 ${KEY}' } }),
      { 'env.API_KEY': '$${KEY}', 'env.PIN': 'hunter2 ${KEY}' },
      {},
    ],
    [
      'nothing',
      stdio({ args: ['a', '--port', '80'], env: { API_KEY: '' } }),
      {},
      { args: ['a', '--port', '80'], env: { API_KEY: '' } },
    ],
    [
      'what it does not understand',
      stdio({ args: 'x', env: ['y'], url: 7, auth: null }),
      {},
      { args: 'x', env: ['y'], url: 7, auth: null },
    ],
  ])('%s', (_, entry, secrets, sealed) => {
    const result = sealSecrets(entry)
    expect(result.secrets).toEqual(secrets)
    expect(result.sealed).toMatchObject(sealed)
    expect(unsealSecrets(result.sealed, result.secrets)).toEqual(entry)
  })

  it('seals values that a person marked, and headers regardless of case', () => {
    const entry = {
      type: 'http',
      url: 'https://e.com/',
      headers: { 'X-Team': 'blue', 'X-Other': 'red' },
      env: { A: 'a', B: '${B}', C: 'c' },
    }
    expect(sealSecrets(entry, { headers: ['x-team'], env: ['A', 'B'] }).secrets).toEqual({
      'headers.X-Team': 'blue',
      'env.A': 'a',
    })
  })

  it.each(['${secret:env.X}', 'a ${secret:', '$${secret:x}'])(
    'refuses a value that says %s itself',
    (text) => {
      expect(() => sealSecrets(stdio({ env: { A: text } }))).toThrow(/Use the secret itself/)
      expect(() => sealSecrets(stdio({ description: text }))).toThrow(/secret/)
    },
  )

  it('treats the variable `secret` with a default as a variable', () => {
    const entry = stdio({ env: { A: '${secret:-x}', API_KEY: '${secret:-x}' } })
    const { sealed, secrets } = sealSecrets(entry)
    expect(secrets).toEqual({ 'env.API_KEY': '${secret:-x}' })
    expect(unsealSecrets(sealed, secrets)).toEqual(entry)
  })

  it('does not send a placeholder to a server', () => {
    const { sealed } = sealSecrets(stdio({ env: { API_KEY: 'abc' } }))
    expect(() => unsealSecrets(sealed, {})).toThrow(
      "The secret 'env.API_KEY' of this server is not in the secret store. Set it again.",
    )
    expect(() => unsealSecrets(stdio({ args: ['${secret:toString}'] }), {})).toThrow(
      /not in the secret store/,
    )
  })

  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom(
      '--token',
      '--url=',
      'Bearer abc def',
      'Bearer ${A}',
      'https://a:b@c/d?key=e&token=f',
      'ghp_0123456789abcdefghij',
      '$${x}',
      '${secret:-x}',
      'A_KEY=$&$1',
    ),
    fc.string({ unit: fc.constantFrom(...'aZ9:/?#@&=${}-.%+ '), maxLength: 40 }),
  )
  const pairs = fc.dictionary(
    fc.oneof(text, fc.constantFrom('API_KEY', 'Authorization', '__proto__', 'LANG')),
    text,
    { maxKeys: 5 },
  )
  const auth = fc.oneof(
    fc.record({ type: fc.constant('bearer'), token: text }),
    fc.record({ type: fc.constant('basic'), username: text, password: text }),
  )
  const entry = fc.record(
    {
      type: fc.constantFrom('stdio', 'http'),
      command: text,
      args: fc.array(text, { maxLength: 6 }),
      env: pairs,
      headers: pairs,
      url: text,
      auth,
      description: text,
    },
    { requiredKeys: ['type'] },
  )

  it('is reversible, and leaves nothing behind that secretsOf knows', () => {
    fc.assert(
      fc.property(entry, (entry) => {
        fc.pre(!/\$\{secret:(?!-)/.test(JSON.stringify(entry)))
        const before = structuredClone(entry)
        const { sealed, secrets } = sealSecrets(entry)
        expect(entry).toEqual(before)
        // Compared as text, because `toEqual` ignores some differences in keys.
        expect(JSON.stringify(unsealSecrets(sealed, secrets))).toBe(JSON.stringify(entry))
        expect(Object.values(secrets)).not.toContain('')
        const config = {
          type: 'stdio' as const,
          name: 's',
          command: 'c',
          args: entry.args ?? [],
          env: entry.env ?? {},
        }
        const left = sealed as { args?: string[]; env?: Record<string, string> }
        const rest = { ...config, args: left.args ?? [], env: left.env ?? {} }
        // Only placeholders and references to variables remain after sealing. A label may have any name.
        const unlabelled = JSON.parse(
          JSON.stringify(rest).replace(/\$\{secret:[^-}][^}]*\}/g, '${X}'),
        ) as typeof rest
        for (const secret of secretsOf(unlabelled)) expect(secret).toMatch(/\$\{/)
      }),
      { numRuns: 200 },
    )
  })
})

it('distinguishes thousands of parameters with the same name', () => {
  const { secrets } = sealSecrets({ type: 'http', url: `https://h/?${'key=a&'.repeat(10_000)}` })
  expect(Object.keys(secrets).at(-1)).toBe('url.query.key-10000')
})

describe('describeSecrets', () => {
  it.each([
    ['', { set: false }],
    ['short', { set: true }],
    ['elevenchars', { set: true }],
    ['twelve-chars', { set: true, lastFour: 'hars' }],
    ['\u{1F511}'.repeat(11), { set: true }],
    ['\u{1F511}'.repeat(12), { set: true, lastFour: '\u{1F511}'.repeat(4) }],
  ])('%j', (value, description) => {
    expect(describeSecrets({ x: value })).toEqual({ x: description })
  })
})
