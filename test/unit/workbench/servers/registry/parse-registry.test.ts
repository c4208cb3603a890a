import {
  parseRegistry,
  previewServer,
  toServerDraft,
  type RegistryAnswers,
  type RegistryServer,
} from '@ostler/workbench'
import { describe, expect, test } from 'vitest'
import { expandData } from '../../../../../packages/agent-api/src/config/expand-variables.ts'

const toDocument = (over: object) => ({
  name: 'io.github.example/weather',
  description: 'Weather of anywhere',
  version: '1.0.2',
  ...over,
})
const read = (over: object): RegistryServer => {
  const [server] = parseRegistry(toDocument(over)).servers
  if (server === undefined) throw new Error('no server')
  return server
}
const npm = (over: object = {}) => ({
  registryType: 'npm',
  identifier: '@example/weather',
  version: '1.0.2',
  transport: { type: 'stdio' },
  ...over,
})
const oci = (over: object = {}) => ({
  registryType: 'oci',
  identifier: 'ghcr.io/example/weather:1.0.2',
  transport: { type: 'stdio' },
  ...over,
})

/** The entry of the first way, as a program would get it, or its problems. */
function draftOf(server: RegistryServer, answers: RegistryAnswers = {}) {
  const [way] = server.ways
  if (way === undefined) return server.refused
  const draft = toServerDraft(server, way, answers)
  return 'problems' in draft ? draft.problems : draft.server
}
const lineOf = (pack: object, answers: RegistryAnswers = {}) => {
  const draft = draftOf(read({ packages: [pack] }), answers)
  if (!('entry' in draft)) return draft
  const { command, args } = expandData(draft.entry, {}).data as { command: string; args: string[] }
  return [command, ...args].join(' ')
}
const named = (name: string, over: object = {}) => ({ type: 'named', name, ...over })
const positional = (valueHint: string, over: object = {}) => ({ type: 'positional', valueHint, ...over })

describe('the command line of a package', () => {
  test.each<[string, object, string]>([
    ['npm', npm(), 'npx -y @example/weather@1.0.2'],
    [
      'npm of the public registry',
      npm({ registryBaseUrl: 'https://registry.npmjs.org' }),
      'npx -y @example/weather@1.0.2',
    ],
    [
      'npm that says yes itself',
      npm({ runtimeHint: 'npx', runtimeArguments: [named('--yes')] }),
      'npx -y @example/weather@1.0.2',
    ],
    ['pypi', npm({ registryType: 'pypi', identifier: 'weather-mcp' }), 'uvx weather-mcp@1.0.2'],
    [
      'nuget',
      npm({ registryType: 'nuget', identifier: 'Example.Weather', version: '0.4.0-beta' }),
      'dnx Example.Weather@0.4.0-beta --yes',
    ],
    [
      'nuget with arguments',
      npm({
        registryType: 'nuget',
        identifier: 'Example.Weather',
        packageArguments: [positional('a', { value: 'mcp' }), positional('b', { value: 'start' })],
      }),
      'dnx Example.Weather@1.0.2 --yes -- mcp start',
    ],
    ['an image', oci(), 'docker run -i --rm ghcr.io/example/weather:1.0.2'],
    [
      'an image whose version is beside it',
      oci({ identifier: 'example/weather', version: '1.2' }),
      'docker run -i --rm example/weather:1.2',
    ],
    [
      'an image with its own run and flags',
      oci({
        runtimeArguments: [
          positional('r', { value: 'run' }),
          named('-i'),
          named('--rm'),
          named('--init'),
          named('--network', { value: 'host' }),
        ],
      }),
      'docker run -i --rm --init --network host ghcr.io/example/weather:1.0.2',
    ],
    [
      'an image whose variables are passed on',
      oci({ environmentVariables: [{ name: 'UNITS', default: 'metric' }, { name: 'NOT_GIVEN' }] }),
      'docker run -i --rm -e UNITS ghcr.io/example/weather:1.0.2',
    ],
    [
      'fixed values, shell characters and all',
      npm({
        packageArguments: [
          named('--mode', { value: '; rm -rf / && $(id) `id` ${HOME} $$' }),
          named('--plain'),
        ],
      }),
      'npx -y @example/weather@1.0.2 --mode ; rm -rf / && $(id) `id` ${HOME} $$ --plain',
    ],
    [
      'a default, and nothing for what has none',
      npm({
        packageArguments: [
          named('--host', { default: 'localhost' }),
          named('--port', { format: 'number' }),
          positional('file'),
        ],
      }),
      'npx -y @example/weather@1.0.2 --host localhost',
    ],
    [
      'braces that are no variable',
      npm({ packageArguments: [positional('a', { value: '{x}{' })] }),
      'npx -y @example/weather@1.0.2 {x}{',
    ],
    [
      'a flag with an equals sign',
      npm({ packageArguments: [named('--a=', { value: 'b' })] }),
      'npx -y @example/weather@1.0.2 --a=b',
    ],
  ])('%s', (_name, pack, line) => {
    expect(lineOf(pack)).toBe(line)
  })

  const mount = named('--mount', {
    value: 'type=bind,src={source},dst={target}',
    variables: {
      source: { format: 'filepath', isRequired: true },
      target: { default: '/project', isRequired: true },
    },
  })
  test.each<[string, object, RegistryAnswers, string]>([
    [
      'a position',
      npm({ packageArguments: [positional('dir')] }),
      { 'arg.dir': '/tmp/a b' },
      'npx -y @example/weather@1.0.2 /tmp/a b',
    ],
    [
      'a switch that is on',
      npm({ packageArguments: [named('-v', { format: 'boolean' })] }),
      { 'arg.-v': 'true' },
      'npx -y @example/weather@1.0.2 -v',
    ],
    [
      'a switch that is off',
      npm({ packageArguments: [named('-v', { format: 'boolean' })] }),
      {},
      'npx -y @example/weather@1.0.2',
    ],
    [
      'variables of a flag',
      oci({ runtimeArguments: [mount] }),
      { 'arg.--mount.source': '/a' },
      'docker run -i --rm --mount type=bind,src=/a,dst=/project ghcr.io/example/weather:1.0.2',
    ],
    [
      'a text like a reference',
      npm({ packageArguments: [positional('dir')] }),
      { 'arg.dir': '${SECRET}$$' },
      'npx -y @example/weather@1.0.2 ${SECRET}$$',
    ],
  ])('with %s', (_name, pack, answers, line) => {
    expect(lineOf(pack, answers)).toBe(line)
  })

  test.each<[string, object, RegistryAnswers, object[]]>([
    [
      'a required value',
      npm({ packageArguments: [positional('dir', { isRequired: true })] }),
      {},
      [{ input: 'arg.dir', message: 'is required' }],
    ],
    [
      'an empty value',
      npm({ packageArguments: [positional('dir', { isRequired: true })] }),
      { 'arg.dir': '' },
      [{ input: 'arg.dir', message: 'is required' }],
    ],
    [
      'a choice',
      npm({ environmentVariables: [{ name: 'U', choices: ['a', 'b'] }] }),
      { 'env.U': 'c' },
      [{ input: 'env.U', message: 'must be one of a, b' }],
    ],
    [
      'a switch',
      npm({ packageArguments: [named('-v', { format: 'boolean' })] }),
      { 'arg.-v': 'yes' },
      [{ input: 'arg.-v', message: 'must be one of true' }],
    ],
    [
      'an invalid reference',
      npm({ environmentVariables: [{ name: 'P' }] }),
      { 'env.P': { variable: 'A B' } },
      [{ input: 'env.P', message: 'refers to something that is not a variable' }],
    ],
    [
      'all of them',
      npm({
        environmentVariables: [
          { name: 'A', isRequired: true },
          { name: 'B', isRequired: true },
        ],
      }),
      {},
      [
        { input: 'env.A', message: 'is required' },
        { input: 'env.B', message: 'is required' },
      ],
    ],
  ])('reports %s', (_name, pack, answers, problems) => {
    expect(lineOf(pack, answers)).toEqual(problems)
  })
})

test.each<[string, object, string]>([
  ['an unknown kind', npm({ registryType: 'cargo' }), 'its package type cargo is not supported'],
  [
    'a bundle',
    {
      registryType: 'mcpb',
      identifier: 'https://a.example/a.mcpb',
      fileSha256: 'a'.repeat(64),
      transport: { type: 'stdio' },
    },
    'Ostler does not run bundles',
  ],
  [
    'a server that listens',
    npm({ transport: { type: 'streamable-http', url: 'http://localhost:{port}/mcp' } }),
    'that you start yourself',
  ],
  [
    'the old format',
    { registry_type: 'npm', identifier: 'a', version: '1.0.0' },
    'no registryType and identifier',
  ],
  ['no version', npm({ version: undefined }), 'no exact version'],
  ['the latest version', npm({ version: 'latest' }), 'no exact version'],
  ['a range', npm({ version: '^1.0.0' }), 'no exact version'],
  ['a pattern', npm({ version: '1.x' }), 'no exact version'],
  ['a version that is a flag', npm({ version: '--unsafe' }), 'no exact version'],
  ['a path', npm({ identifier: '../x' }), 'not a valid npm package name'],
  ['a flag', npm({ identifier: '--registry=https://evil.example' }), 'not a valid npm package name'],
  ['a repository', npm({ identifier: 'git+https://evil.example/x' }), 'not a valid npm package name'],
  ['a flag instead of an image', oci({ identifier: '-v/:/host' }), 'not the name of an image'],
  [
    'a word for its program',
    npm({ runtimeArguments: [named('--unsafe')] }),
    'it needs arguments of another program than npx',
  ],
  [
    'arguments for another program',
    npm({ runtimeHint: 'sh', runtimeArguments: [named('-c', { value: 'id' })] }),
    'it needs arguments of another program than npx',
  ],
  ...['http://npm.example', 'https://npm.example', 'not a URL', 'http://registry.npmjs.org'].map(
    (registryBaseUrl): [string, object, string] => [
      `the registry ${registryBaseUrl}`,
      npm({ registryBaseUrl }),
      'another registry than registry.npmjs.org',
    ],
  ),
  [
    'hidden text in an argument',
    npm({ packageArguments: [positional('a', { value: 'a\u001b[2K' })] }),
    'cannot be seen',
  ],
  [
    'a line break in an argument',
    npm({ packageArguments: [positional('a', { value: 'a\nb' })] }),
    'cannot be seen',
  ],
  [
    'hidden text in a flag',
    npm({ packageArguments: [named('--a\u200b', { value: 'b' })] }),
    'cannot be seen',
  ],
  ['arguments that are no list', npm({ packageArguments: 'a' }), 'not a list of objects'],
  [
    'an argument that is neither',
    npm({ packageArguments: [{ value: 'x' }] }),
    'neither positional nor named',
  ],
  ['a variable with a bad name', npm({ environmentVariables: [{ name: 'A=B' }] }), 'is not valid'],
  [
    'a value that is no text',
    npm({ environmentVariables: [{ name: 'A', value: { a: 1 } }] }),
    'is not a text',
  ],
  [
    'endless values',
    npm({ packageArguments: [positional('a', { value: 'x'.repeat(5_000) })] }),
    'longer than 4000 characters',
  ],
  [
    'too many values',
    npm({ environmentVariables: Array.from({ length: 101 }, (_, n) => ({ name: `A${n}` })) }),
    'not a list of objects',
  ],
])('refuses a package with %s', (_name, pack, reason) => {
  expect(read({ packages: [pack] })).toMatchObject({
    ways: [],
    refused: [{ reason: expect.stringContaining(reason) }],
  })
})

describe('a remote server', () => {
  const remote = (over: object = {}) => ({
    type: 'streamable-http',
    url: 'https://mcp.example.com/mcp',
    ...over,
  })

  test('with headers and variables', () => {
    const server = read({
      remotes: [
        remote({
          url: 'https://{tenant}.example.com/mcp',
          variables: { tenant: { description: 'Your tenant' } },
          headers: [
            {
              name: 'Authorization',
              value: 'Bearer {token}',
              variables: { token: { isRequired: true, isSecret: true } },
            },
            { name: 'X-Region', default: 'eu', choices: ['eu', 'us'] },
          ],
        }),
      ],
    })
    expect(server.ways[0]?.inputs).toMatchObject([
      {
        id: 'url.tenant',
        label: 'tenant',
        description: 'Your tenant',
        isRequired: true,
        isSecret: false,
      },
      { id: 'header.Authorization.token', label: 'token', isRequired: true, isSecret: true },
      {
        id: 'header.X-Region',
        label: 'X-Region',
        isRequired: false,
        preset: 'eu',
        choices: ['eu', 'us'],
      },
    ])
    expect(draftOf(server, { 'url.tenant': 'acme', 'header.Authorization.token': 'abc' })).toMatchObject({
      name: 'weather',
      entry: {
        type: 'http',
        url: 'https://acme.example.com/mcp',
        headers: { Authorization: 'Bearer abc', 'X-Region': 'eu' },
      },
      origin: 'https://acme.example.com/mcp',
      secrets: ['headers.Authorization'],
    })
  })

  test.each<[string, object, string]>([
    ['plain http', remote({ url: 'http://mcp.example.com' }), 'plain http'],
    ['another scheme', remote({ url: 'file:///etc/passwd' }), 'does not begin with https://'],
    ['another transport', remote({ type: 'ws' }), 'its transport ws'],
    ['no URL', remote({ url: undefined }), 'no URL'],
    ['a header with a bad name', remote({ headers: [{ name: 'A: b\r\nC' }] }), 'not valid'],
  ])('refuses %s', (_name, each, reason) => {
    expect(read({ remotes: [each] })).toMatchObject({
      ways: [],
      refused: [{ reason: expect.stringContaining(reason) }],
    })
  })

  test('refuses an address that becomes plain http', () => {
    const server = read({ remotes: [remote({ url: '{base}/mcp', variables: { base: {} } })] })
    expect(draftOf(server, { 'url.base': 'http://mcp.example.com' })).toEqual([
      { message: expect.stringContaining('https://') },
    ])
    expect(draftOf(server, { 'url.base': 'http://127.0.0.1:8080' })).toMatchObject({
      entry: { url: 'http://127.0.0.1:8080/mcp' },
    })
  })

  test('comes before packages, and SSE after them', () => {
    const server = read({
      packages: [npm(), oci(), npm()],
      remotes: [remote({ type: 'sse' }), remote(), remote()],
    })
    expect(server.ways.map(({ id }) => id)).toEqual(['http', 'http-2', 'npm', 'oci', 'npm-2', 'sse'])
  })
})

describe('secrets', () => {
  const pack = npm({
    packageArguments: [
      positional('key', { isSecret: true }),
      named('--level', { value: 'l={level}', variables: { level: { isSecret: true } } }),
    ],
    environmentVariables: [{ name: 'WHERE', isSecret: true }, { name: 'API_TOKEN' }],
  })

  test('are marked, in variables and in arguments', () => {
    const answers = {
      'arg.key': 'opensesame',
      'arg.--level.level': 'eleven',
      'env.WHERE': 'here',
      'env.API_TOKEN': 'abc',
    }
    const found = draftOf(read({ packages: [pack] }), answers)
    expect(found).toMatchObject({
      origin: "npx -y @example/weather@1.0.2 '[redacted]' --level 'l=[redacted]'",
      secrets: ['args.2', 'args.4', 'env.WHERE', 'env.API_TOKEN'],
    })
  })

  test('are not what the author wrote: presets, choices, and whatever loads code are shown', () => {
    const environmentVariables = [
      { name: 'NODE_OPTIONS', isSecret: true, default: '--require=payload1234' },
      { name: 'LD_PRELOAD', value: '{file}', variables: { file: { isSecret: true } } },
      { name: 'PLACE', isSecret: true, choices: ['one', 'two'] },
      { name: 'OTHER', isSecret: true, default: 'preset' },
    ]
    const packageArguments = [named('--import', { isSecret: true, default: 'payload' })]
    const answers = { 'env.LD_PRELOAD.file': '/tmp/given1234.so', 'env.PLACE': 'two', 'env.OTHER': 'given' }
    const found = draftOf(read({ packages: [npm({ environmentVariables, packageArguments })] }), answers)
    if (!('entry' in found)) throw new Error('no entry')
    expect(previewServer(found, {}).commandLine).toBe(
      'NODE_OPTIONS=--require=payload1234 LD_PRELOAD=/tmp/given1234.so PLACE=two OTHER=[redacted] npx -y @example/weather@1.0.2 --import payload',
    )
    expect(found.secrets).toEqual(['env.OTHER'])
  })

  test('are not shown while they are typed, also by their name', () => {
    expect(
      read({ packages: [pack] }).ways[0]?.inputs.map(({ label, isSecret }) => [label, isSecret]),
    ).toEqual([
      ['WHERE', true],
      ['API_TOKEN', true],
      ['key', true],
      ['level', true],
    ])
  })

  test('of the environment are not read by a document, but by the person', () => {
    const server = read({
      packages: [
        npm({
          environmentVariables: [
            { name: 'A', value: '${API_TOKEN}' },
            { name: 'B', default: '${API_TOKEN}' },
            { name: 'C' },
          ],
        }),
      ],
    })
    const found = draftOf(server, { 'env.C': { variable: 'API_TOKEN' } })
    expect(expandData(found, { API_TOKEN: 'abc' }).data).toMatchObject({
      entry: { env: { A: '${API_TOKEN}', B: '${API_TOKEN}', C: 'abc' } },
    })
  })
})

describe('a document', () => {
  const official = (over: object) => ({ 'io.modelcontextprotocol.registry/official': over })

  test('is a list of the API, a single answer of it, or a server.json', () => {
    const plain = toDocument({ packages: [npm()] })
    const list = parseRegistry({
      servers: [
        { server: plain, _meta: official({ status: 'active', isLatest: true }) },
        {
          server: { ...plain, version: '1.0.1' },
          _meta: official({ status: 'deprecated', statusMessage: 'Use 1.0.2', isLatest: false }),
        },
        { server: { name: '../x', version: '1' } },
        'text',
      ],
      metadata: { count: 4 },
    })
    expect(list.servers).toMatchObject([
      { version: '1.0.2', status: 'active' },
      { version: '1.0.1', status: 'deprecated', statusMessage: 'Use 1.0.2' },
    ])
    expect(list.skipped).toEqual([
      { name: '../x', reason: 'its "name" is not of the form io.example/server' },
      { name: '', reason: 'it is not an object' },
    ])
    expect(parseRegistry({ server: plain, _meta: official({ status: 'deleted' }) }).servers).toMatchObject([
      { status: 'deleted' },
    ])
    expect(parseRegistry(plain).servers[0]?.ways).toHaveLength(1)
  })

  test.each<[string, unknown, string]>([
    ['no object', [], 'not an object'],
    ['no name', { version: '1' }, '"name"'],
    ['a name with a path', toDocument({ name: 'io.example/../../x' }), '"name"'],
    ['no version', toDocument({ version: undefined }), '"version"'],
    ['packages that are no list', toDocument({ packages: {} }), '"packages"'],
    ['servers that are no list', { servers: {} }, 'not a list'],
    ['endless servers', { servers: Array.from({ length: 1_001 }, () => 1) }, 'more than 1000'],
  ])('is refused with %s', (_name, data, message) => {
    expect(() => parseRegistry(data)).toThrow(message)
  })

  test('shows a person no hidden text', () => {
    const server = read({
      title: 'A\u001b]0;owned\u0007',
      description: `good\u202e\u001b[2J\n${'x'.repeat(3_000)}`,
      websiteUrl: 'javascript:alert(1)',
      repository: { url: 'https://github.com/example/weather', source: 'github' },
      packages: [npm({ environmentVariables: [{ name: 'A', description: 'x\u001b[31m' }] })],
    })
    expect(server).toMatchObject({ title: 'A', repositoryUrl: 'https://github.com/example/weather' })
    expect(server).not.toHaveProperty('websiteUrl')
    expect(server.description).toMatch(/^good x+…$/)
    expect(server.ways[0]?.inputs[0]?.description).toBe('x')
  })

  test('cannot reach what an object inherits', () => {
    const server = read({
      packages: [
        npm({ packageArguments: [positional('a', { value: '{__proto__}{constructor}', variables: {} })] }),
      ],
    })
    expect(draftOf(server, JSON.parse('{"__proto__":"x"}') as RegistryAnswers)).toMatchObject({
      origin: expect.stringContaining('{__proto__}{constructor}'),
    })
  })

  test('of a deprecated server says so', () => {
    const [server] = parseRegistry({
      server: toDocument({ packages: [npm()] }),
      _meta: official({ status: 'deprecated', statusMessage: 'Use b' }),
    }).servers
    expect(server && draftOf(server)).toMatchObject({ notes: ['its author has deprecated it: Use b'] })
  })
})
