import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fetchRegistryServer } from '@ostler/workbench'
import { expect, test } from 'vitest'
import { openMcpLab } from './mcp-lab.ts'
import { hasTerminal, runOnTerminal } from './run-on-terminal.ts'

const weather = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: 'io.github.example/weather',
  title: 'Weather',
  description: 'Weather of anywhere',
  version: '1.0.2',
  repository: { url: 'https://github.com/example/weather', source: 'github' },
  packages: [
    {
      registryType: 'npm',
      identifier: '@example/weather',
      version: '1.0.2',
      transport: { type: 'stdio' },
      packageArguments: [
        { type: 'named', name: '--units', default: 'metric', choices: ['metric', 'imperial'] },
      ],
      environmentVariables: [
        {
          name: 'WEATHER_API_KEY',
          description: 'Key of the weather service',
          isRequired: true,
          isSecret: true,
        },
        { name: 'LOG_LEVEL' },
      ],
    },
    {
      registryType: 'mcpb',
      identifier: 'https://example.com/weather.mcpb',
      fileSha256: 'a'.repeat(64),
      transport: { type: 'stdio' },
    },
  ],
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://weather.example.com/mcp',
      headers: [
        {
          name: 'Authorization',
          value: 'Bearer {token}',
          variables: { token: { isRequired: true, isSecret: true } },
        },
      ],
    },
  ],
}
const official = (over: object) => ({
  _meta: { 'io.modelcontextprotocol.registry/official': { status: 'active', ...over } },
})

interface Loopback extends AsyncDisposable {
  readonly url: string
  readonly paths: string[]
}

/** A web server of this test on this machine. */
async function serve(
  answer: (path: string, response: ServerResponse, request: IncomingMessage) => void,
): Promise<Loopback> {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    answer(request.url ?? '', response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A registry with one server in two versions, as the official one answers. */
function serveRegistry(): Promise<Loopback> {
  const single = '/v0.1/servers/io.github.example%2Fweather/versions/'
  return serve((path, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (path === `${single}latest`) answer(200, { server: weather, ...official({ isLatest: true }) })
    else if (path === `${single}1.0.1`)
      answer(200, { server: { ...weather, version: '1.0.1' }, ...official({ status: 'deleted' }) })
    else if (path.startsWith('/v0.1/servers?')) {
      const isKnown = path.includes('search=weather')
      answer(200, {
        servers: isKnown ? [{ server: weather, ...official({ isLatest: true }) }] : [],
        metadata: { count: 1 },
      })
    } else answer(404, { title: 'Not Found', status: 404, detail: 'Server not found' })
  })
}

test('a server of a registry is stored by its name, with its secret apart', async () => {
  await using lab = await openMcpLab()
  await using registry = await serveRegistry()
  const args = [
    'add-from-registry',
    'io.github.example/weather',
    '--from',
    registry.url,
    '--use',
    'npm',
    '--yes',
  ]
  const missing = await lab.run(args)
  expect(missing).toMatchObject({ code: 2, stdout: '' })
  expect(missing.stderr).toContain(
    'WEATHER_API_KEY (Key of the weather service) is required: --input WEATHER_API_KEY=VALUE',
  )
  expect(await lab.list()).toEqual([])

  const { code, stdout, stderr } = await lab.run([
    ...args,
    '--input',
    'WEATHER_API_KEY=the-secret-key',
    '--input',
    'units=imperial',
  ])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining("Stored the server 'weather'"),
  })
  expect(stdout + stderr).not.toContain('the-secret-key')
  expect(stderr).toContain('Runs    npx -y @example/weather@1.0.2 --units <--units>')
  expect(stderr).toContain('Command: npx -y @example/weather@1.0.2 --units imperial')
  expect(await lab.list()).toMatchObject([
    {
      name: 'weather',
      description: 'Weather of anywhere',
      entry: {
        command: 'npx',
        args: ['-y', '@example/weather@1.0.2', '--units', 'imperial'],
        env: { WEATHER_API_KEY: '${secret:env.WEATHER_API_KEY}' },
      },
    },
  ])
  expect(registry.paths).toEqual(
    Array.from({ length: 2 }, () => '/v0.1/servers/io.github.example%2Fweather/versions/latest'),
  )
  expect(await lab.run([...args, '--input', 'WEATHER_API_KEY=x'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--name'),
  })
})

test('--json shows everything without storing it; with --yes it stores', async () => {
  await using lab = await openMcpLab()
  const file = join(lab.path, 'server.json')
  await writeFile(file, JSON.stringify(weather))
  const preview = await lab.json(['add-from-registry', '--from', file, '--use', 'http'])
  expect(preview).toMatchObject({
    name: 'io.github.example/weather',
    ways: [{ id: 'http' }, { id: 'npm' }],
    refused: [{ label: 'mcpb https://example.com/weather.mcpb' }],
    use: 'http',
    url: 'https://weather.example.com/mcp',
    inputs: [{ label: 'token', isSecret: true, isRequired: true, flag: '--input token=VALUE' }],
  })
  expect(await lab.list()).toEqual([])
  const stored = await lab.json([
    'add-from-registry',
    '--from',
    file,
    '--use',
    'http',
    '--name',
    'w',
    '--input',
    'token=abc',
    '--yes',
  ])
  expect(stored).toMatchObject({
    name: 'w',
    entry: {
      url: 'https://weather.example.com/mcp',
      headers: { Authorization: 'Bearer ${secret:headers.Authorization}' },
    },
  })
})

test('a variable of the environment is referred to, and a text with dollar signs is not', async () => {
  await using lab = await openMcpLab()
  const file = join(lab.path, 'server.json')
  const env = [{ name: 'A' }, { name: 'B' }]
  await writeFile(
    file,
    JSON.stringify({
      ...weather,
      remotes: [],
      packages: [{ ...weather.packages[0], environmentVariables: env }],
    }),
  )
  await lab.run(['add-from-registry', '--from', file, '--input', 'A', '--input', 'B=${HOME}', '--yes'])
  expect(await lab.list()).toMatchObject([{ entry: { env: { A: '${A}', B: '$${HOME}' } } }])
})

test('inputs of the same name take their answers in order, and none is left over', async () => {
  await using lab = await openMcpLab()
  const file = join(lab.path, 'server.json')
  const path = { type: 'positional', isRequired: true }
  const copier = { ...weather.packages[0], environmentVariables: [], packageArguments: [path, path] }
  await writeFile(file, JSON.stringify({ ...weather, remotes: [], packages: [copier] }))
  const add = (...answers: readonly string[]) =>
    lab.run([
      'add-from-registry',
      '--from',
      file,
      '--yes',
      ...answers.flatMap((answer) => ['--input', answer]),
    ])
  expect(await add('argument=a', 'argument=b', 'argument=c')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the server asks for no argument'),
  })
  expect(await add('argument=a', 'argument=b')).toMatchObject({ code: 0 })
  expect(await lab.list()).toMatchObject([
    { entry: { args: ['-y', expect.stringContaining('@'), 'a', 'b'] } },
  ])
})

test.each<[string, readonly string[], number, string]>([
  ['no name', [], 2, 'needs the name of a server'],
  ['two names', ['a/b', 'c/d', '--yes'], 2, "unexpected argument 'c/d'"],
  [
    'no terminal and no yes',
    ['io.github.example/weather'],
    2,
    'without a terminal, add-from-registry needs --yes',
  ],
  ['no file', ['--from', './missing.json', '--yes'], 1, 'no such file'],
  ['plain http', ['a/b', '--from', 'http://registry.example', '--yes'], 1, 'is not reached over https'],
  ['another scheme', ['a/b', '--from', 'ftp://registry.example', '--yes'], 1, 'is not reached over https'],
  [
    'a password in the address',
    ['a/b', '--from', 'https://me:pw@registry.example', '--yes'],
    1,
    'contains a user name or a password',
  ],
  [
    'a registry without a name',
    ['--from', 'https://registry.example', '--yes'],
    2,
    'needs the name of a server',
  ],
  ['an unknown way', ['--from', 'FILE', '--use', 'cargo', '--yes'], 2, '--use must be one of http, npm'],
  [
    'an answer to nothing',
    ['--from', 'FILE', '--use', 'npm', '--input', 'WEATHER_API_KY=x', '--yes'],
    2,
    "did you mean 'WEATHER_API_KEY'?",
  ],
  [
    'a wrong choice',
    ['--from', 'FILE', '--use', 'npm', '--input', 'WEATHER_API_KEY=x', '--input', 'units=both', '--yes'],
    2,
    'must be one of metric, imperial',
  ],
  [
    'a name beside a file',
    ['io.github.example/weather', '--from', 'FILE', '--yes'],
    2,
    'a server.json is one version of one server: name neither',
  ],
  [
    'a version beside a file',
    ['--from', 'FILE', '--version', '2.0.0', '--yes'],
    2,
    'a server.json is one version of one server: name neither',
  ],
  ['several servers', ['--from', 'TWO', '--yes'], 1, 'It is not the server.json of one server.'],
  ['no JSON', ['--from', '-', '--yes'], 1, 'standard input cannot be used. It is not JSON.'],
  ['no server.json', ['--from', 'OTHER', '--yes'], 1, 'its "name" is not of the form io.example/server'],
  ['nothing that runs', ['--from', 'BUNDLE', '--yes'], 1, 'Ostler does not run bundles'],
  [
    'a bad name in Ostler',
    ['--from', 'FILE', '--use', 'http', '--input', 'token=x', '--name', 'file:x', '--yes'],
    2,
    "must not begin with 'file:'",
  ],
])('%s is one clear error, and nothing is stored', async (_name, args, code, message) => {
  await using lab = await openMcpLab()
  const files = {
    FILE: weather,
    OTHER: { mcpServers: {} },
    TWO: { servers: [{ server: weather }, { server: weather }] },
    BUNDLE: { ...weather, remotes: [], packages: [weather.packages[1]] },
  }
  for (const [name, data] of Object.entries(files))
    await writeFile(join(lab.path, `${name}.json`), JSON.stringify(data))
  const words = args.map((word) => (Object.hasOwn(files, word) ? join(lab.path, `${word}.json`) : word))
  const result = await lab.run(['add-from-registry', ...words])
  expect(result).toMatchObject({ code, stdout: '' })
  expect(result.stderr).toContain(message)
  expect(await lab.list()).toEqual([])
})

test('an unknown name lists those that are similar', async () => {
  await using lab = await openMcpLab()
  await using registry = await serveRegistry()
  const run = (...args: string[]) => lab.run(['add-from-registry', ...args, '--from', registry.url, '--yes'])
  expect(await run('weather')).toMatchObject({
    code: 1,
    stderr: 'ostler: weather is not the full name of a server. It has:\n  io.github.example/weather\n',
  })
  expect((await run('io.github.other/weather')).stderr).toContain(
    'has no server io.github.other/weather. It has:',
  )
  expect((await run('io.github.other/nothing')).stderr).toMatch(
    /has no server io\.github\.other\/nothing\.\n$/,
  )
  expect((await run('io.github.example/weather', '--version', '9')).stderr).toContain(
    'has no version 9 of io.github.example/weather.',
  )
  expect((await run('io.github.example/weather', '--version', '1.0.1')).stderr).toContain(
    'was deleted from its registry',
  )
})

test.each<[string, (response: ServerResponse, request: IncomingMessage) => void, string]>([
  [
    'redirects',
    (response) => response.writeHead(302, { location: 'http://evil.example/\u009b2J' }).end(),
    'it redirects to http://evil.example/',
  ],
  ['fails', (response) => response.writeHead(500).end('x'.repeat(100_000)), 'it answered 500'],
  ['is no JSON', (response) => response.end('<html>'), 'its answer is not JSON'],
  [
    'is deep',
    (response) => response.end(`${'['.repeat(200_000)}${']'.repeat(200_000)}`),
    'gave no usable answer',
  ],
  [
    'is another server',
    (response) => response.end(JSON.stringify({ ...weather, name: 'io.github.evil/weather' })),
    'it answered with another server',
  ],
  [
    'is longer than it says',
    (response) => (response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}{}{}{}'), response),
    'gave no usable answer',
  ],
  [
    'is shorter than it says',
    (response) => (response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{}'), response),
    'gave no usable answer',
  ],
  [
    'never ends',
    (response) => {
      const more = () =>
        void (response.destroyed || response.write(' '.repeat(64 * 1024), () => setImmediate(more)))
      more()
    },
    'the answer is over 8 MiB',
  ],
])('an answer that %s is an error, and nothing is stored', async (_name, answer, message) => {
  await using lab = await openMcpLab()
  await using registry = await serve((_path, response, request) => answer(response, request))
  const { code, stdout, stderr } = await lab.run([
    'add-from-registry',
    'io.github.example/weather',
    '--from',
    registry.url,
    '--yes',
  ])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(message)
  // oxlint-disable-next-line no-control-regex -- The terminal must not get it.
  expect(stderr).not.toMatch(/\u001b/)
  expect(await lab.list()).toEqual([])
})

test('a registry that cannot be reached is named, with the reason', async () => {
  const { url } = await serve(() => undefined).then(
    async (registry) => (await registry[Symbol.asyncDispose](), registry),
  )
  const { host } = new URL(url)
  await expect(fetchRegistryServer(url, 'io.example/weather')).rejects.toThrow(
    `Could not reach ${host}: connection refused. Check your connection.`,
  )
})

test('an answer that does not come ends by itself', async () => {
  await using registry = await serve((_path, response) => void response.write('{'))
  await expect(fetchRegistryServer(registry.url, 'io.example/weather', { timeoutMs: 50 })).rejects.toThrow(
    'it did not answer in 0.05 s',
  )
})

test('a hostile document cannot write to the terminal', async () => {
  await using lab = await openMcpLab()
  const file = join(lab.path, 'server.json')
  const hidden = '\u001b]52;c;ZXZpbA==\u0007\u001b[1A\u202e\u200b\r'
  const dirty = {
    ...weather,
    title: `T${hidden}`,
    description: `D${hidden}`,
    version: `1${hidden}`,
    packages: [
      {
        ...weather.packages[0],
        environmentVariables: [
          { name: 'A', description: hidden, default: hidden, choices: ['a', `b${hidden}`] },
        ],
      },
      { registryType: `x${hidden}`, identifier: `y${hidden}`, transport: { type: hidden } },
      {
        ...weather.packages[0],
        environmentVariables: [{ name: 'B', placeholder: hidden, default: `d${hidden}` }],
      },
    ],
  }
  await writeFile(file, JSON.stringify(dirty))
  for (const flags of [['--yes'], ['--json'], ['--use', 'npm', '--yes']]) {
    const { stdout, stderr } = await lab.run(['add-from-registry', '--from', file, ...flags])
    // oxlint-disable-next-line no-control-regex -- These characters are what this is about.
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/)
  }
})

test.skipIf(!hasTerminal)('on a terminal it asks which way and for each value, secrets unseen', async () => {
  await using lab = await openMcpLab()
  const file = join(lab.path, 'server.json')
  await writeFile(file, JSON.stringify(weather))
  const { code, shown } = await runOnTerminal(
    ['mcp', 'add-from-registry', '--from', file, '--state-dir', lab.stateDir],
    {
      env: lab.env,
      cwd: lab.path,
      typed: [
        ['Which one', 'npm\r'],
        ['WEATHER_API_KEY - Key of the weather service:', 'the-secret-key\r'],
        ['LOG_LEVEL', '\r'],
        ['--units', 'both\r'],
        ['must be one of metric, imperial', '\r'],
        ['[y/N]', 'y\r'],
      ],
    },
  )
  expect(code).toBe(0)
  expect(shown).not.toContain('the-secret-key')
  expect(shown).toContain('Command: npx -y @example/weather@1.0.2 --units metric')
  expect(await lab.list()).toMatchObject([
    { name: 'weather', entry: { env: { WEATHER_API_KEY: '${secret:env.WEATHER_API_KEY}' } } },
  ])
})
