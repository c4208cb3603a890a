import { describe, expect, it } from 'vitest'
import { askedValues } from '../../../../../packages/workbench/src/servers/import/asked-values.ts'
import { fillInputs } from '../../../../../packages/workbench/src/servers/import/found-server.ts'
import {
  freeServerName,
  nameOfCommand,
  nameOfUrl,
} from '../../../../../packages/workbench/src/servers/import/name-server.ts'
import { parsePasted } from '../../../../../packages/workbench/src/servers/import/parse-pasted.ts'
import type { FoundServer } from '../../../../../packages/workbench/src/servers/import/server-list.ts'

const stdio = (command: string, args: readonly string[] = [], env: object = {}) => ({
  type: 'stdio',
  command,
  args,
  env,
})
const http = (url: string, headers: object = {}) => ({ type: 'http', url, headers })

function only(text: string): FoundServer {
  const { servers, skipped } = parsePasted(text)
  expect(skipped).toEqual([])
  expect(servers).toHaveLength(1)
  return servers[0]!
}

describe('a pasted text', () => {
  it.each([
    [
      'npx -y @modelcontextprotocol/server-filesystem /tmp',
      'filesystem',
      stdio('npx', ['-y', '@modelcontextprotocol/server-filesystem', '/tmp']),
    ],
    ['$ uvx mcp-server-git', 'git', stdio('uvx', ['mcp-server-git'])],
    ['npx \\\n  -y \\\n  things', 'things', stdio('npx', ['-y', 'things'])],
    ["MODE='a b' node ./dist/index.js", 'server', stdio('node', ['./dist/index.js'], { MODE: 'a b' })],
    ["./notes '${HOME}' '$x'", 'notes', stdio('./notes', ['$${HOME}', '$x'])],
    ['notes-server', 'notes', stdio('notes-server')],
    ['https://mcp.example.com/mcp', 'example', http('https://mcp.example.com/mcp')],
    ['  http://127.0.0.1:4000/mcp\n', 'local-4000', http('http://127.0.0.1:4000/mcp')],
    ['{ "command": "node", "args": ["notes.mjs"] }', 'notes', stdio('node', ['notes.mjs'])],
    ['{ "name": "mine", "url": "https://a.example/mcp" }', 'mine', http('https://a.example/mcp')],
    ['{ "mcpServers": { "one": { "command": "a" } } }', 'one', stdio('a')],
    ['"one": { "command": "a" },', 'one', stdio('a')],
    ['"mcpServers": { "one": { "command": "a" } }', 'one', stdio('a')],
    ['// Zed\n{ "context_servers": { "one": { "command": "a" } } }', 'one', stdio('a')],
    ['{ "servers": { "one": { "type": "stdio", "command": "a" } } }', 'one', stdio('a')],
  ])('%j', (text, name, entry) => {
    expect(only(text)).toMatchObject({ name, inputs: [] })
    const { headers, env, ...rest } = only(text).entry
    expect({ ...rest, ...('url' in entry ? { headers } : { env }) }).toEqual(entry)
  })

  it.each([
    ['', /nothing to add/],
    ['a | b', /needs a shell/],
    ['notes "$(pwd)"', /needs a shell/],
    ['notes $HOME', /needs a shell/],
    ["npx 'open", /open quote/],
    ['MODE=fast', /no command/],
    ['ftp://a.example/mcp --x', /https:\/\//],
    ['claude mcp add notes -- npx notes', /adds a server to claude\. Paste only/],
    ['{ "a": 1 ', /not JSON/],
    ['[1, 2]', /not an object/],
    ['{ "theme": "dark" }', /no MCP servers/],
  ])('without a server is refused with the reason: %j', (text, message) => {
    expect(() => parsePasted(text)).toThrow(message)
  })

  it.each([
    ['one word', 'a'.repeat(250_000)],
    ['dots', `npx ${'-.'.repeat(125_000)}x`],
    ['variables', `npx ${'$a'.repeat(125_000)} ${'"$a'.repeat(75_000)}`],
    ['open gaps', `npx ${'<a '.repeat(75_000)}`],
    ['placeholders', `npx ${'xxxx YOUR_KEY ... '.repeat(12_500)}`],
    ['an argument', JSON.stringify({ command: 'npx', args: [`${'x-'.repeat(125_000)}!`] })],
    ['fences', '```\n'.repeat(62_500)],
  ])('of 250,000 characters is read in linear time: %s', (_, text) => {
    try {
      expect(parsePasted(text).servers.length).toBeLessThanOrEqual(1)
    } catch (error) {
      expect(error).toMatchObject({ code: 'import.invalid' })
    }
  })

  it('with very many servers is refused', () => {
    const mcpServers = Object.fromEntries(
      [...Array(201).keys()].map((index) => [`s${index}`, { command: 'x' }]),
    )
    expect(() => parsePasted(JSON.stringify({ mcpServers }))).toThrow(/more than 200 servers/)
  })

  it('asks for the beginning of an address', () => {
    for (const text of ['mcp.example.com/mcp', 'example.com:8080/'])
      expect(() => parsePasted(text)).toThrow('This looks like an address. Put https:// in front of it.')
    expect(only('bin/notes.sh').entry).toMatchObject({ command: 'bin/notes.sh' })
    expect(only('./notes.io/run').entry).toMatchObject({ command: './notes.io/run' })
  })

  it('names what it cannot add', () => {
    expect(parsePasted('http://a.example/mcp')).toMatchObject({
      servers: [],
      skipped: [{ name: 'a', reason: expect.stringMatching(/plain http/) }],
    })
    expect(parsePasted('{ "mcpServers": { "a": { "command": "x" }, "b": {} } }')).toMatchObject({
      servers: [{ name: 'a' }],
      skipped: [{ name: 'b' }],
    })
  })
})

describe('what documentation leaves open', () => {
  const asked = (text: string) => {
    const { servers, inputs } = parsePasted(text)
    return servers.flatMap((server) => askedValues(server, inputs))
  }

  it.each([
    ['npx notes --api-key <API_KEY>', [{ id: 'API_KEY', isSecret: true, isRequired: true }]],
    ['npx files /path/to/your/files', [{ id: '/path/to/your/files', isSecret: false, isRequired: true }]],
    [
      'uvx mcp-server-git --repository path/to/git/repo',
      [{ id: 'path/to/git/repo', isSecret: false, isRequired: true }],
    ],
    ['npx notes -e API_KEY', []],
    ['npx files ./src ...', [{ id: '...', isSecret: false, isRequired: true }]],
    [
      '{ "command": "a", "env": { "API_KEY": "YOUR_KEY", "MODE": "fast", "EMPTY": "" } }',
      [{ id: 'API_KEY', isSecret: true, isRequired: false }],
    ],
    ['{ "command": "a", "env": { "GITHUB_TOKEN": "" } }', [{ id: 'GITHUB_TOKEN', isSecret: true }]],
    ['{ "command": "a", "env": { "OPENAI_API_KEY": "sk-..." } }', [{ id: 'OPENAI_API_KEY', isSecret: true }]],
    [
      '{ "url": "https://a.example/", "headers": { "Authorization": "Bearer <token>" } }',
      [
        {
          id: 'Authorization',
          isSecret: true,
          description: 'The text has a placeholder here: enter your own value.',
        },
      ],
    ],
    [
      '{ "servers": { "a": { "command": "a", "args": ["${input:k}"] } }, "inputs": [{ "id": "k", "description": "The key", "password": true, "default": "d" }] }',
      [{ id: 'k', label: 'The key', isSecret: true, isRequired: true, preset: 'd' }],
    ],
    ['npx -y @a/b@latest --host x.example', []],
  ])('%s', (text, expected) => {
    expect(asked(text)).toMatchObject(expected)
    expect(asked(text)).toHaveLength(expected.length)
  })

  it('is filled in literally, and goes to the secrets if its name says so', () => {
    const server = only(
      '{ "command": "a", "args": ["--dir", "/path/to/dir"], "env": { "API_KEY": "YOUR_KEY", "REF": "${UNSET}" } }',
    )
    const filled = fillInputs(server, { API_KEY: 'a$$b${HOME}', '/path/to/dir': '/home/me' })
    expect(filled).toMatchObject({
      entry: { args: ['--dir', '/home/me'], env: { API_KEY: 'a$$$b$${HOME}', REF: '${UNSET}' } },
      secrets: ['env.API_KEY'],
    })
    expect(fillInputs(server, { '/path/to/dir': '/home/me' })).toMatchObject({
      entry: { env: { REF: '${UNSET}' } },
      notes: ['env.API_KEY is skipped: it has no value'],
    })
    expect(fillInputs(server, {})).toMatchObject({ reason: expect.stringMatching(/requires a value/) })
  })
})

describe('the name', () => {
  it.each([
    ['npx', ['-y', '@upstash/context7-mcp@latest'], 'context7'],
    ['npx', ['@playwright/mcp@latest'], 'playwright'],
    ['npx', ['-y', '@sentry/mcp-server'], 'sentry'],
    ['uvx', ['--from', 'git+https://github.com/a/mcp-thing.git', 'x'], 'thing'],
    ['uv', ['run', 'mcp_server_time==1.0'], 'time'],
    ['python', ['-m', 'mcp_server_fetch'], 'fetch'],
    ['docker', ['run', '-i', '--rm', '-e', 'TOKEN', 'ghcr.io/github/github-mcp-server:1'], 'github'],
    ['docker', ['compose', 'up'], 'server'],
    ['/opt/my tools/notes.exe', [], 'notes'],
    ['C:\\tools\\run-notes.exe', [], 'run-notes'],
    ['node', ['/home/me/weather/dist/index.js'], 'weather'],
    ['node', ['/srv/server-everything/dist/index.js', 'stdio'], 'everything'],
    ['npx', [], 'server'],
  ])('of %s %j is %s', (command, args, name) => {
    expect(nameOfCommand(command, args)).toBe(name)
  })

  it.each([
    ['podman run --rm -i --secret API_KEY mcp/weather', 'weather'],
    ['docker container run -it --pull always -eMODE=fast --memory 512m mcp/weather:latest', 'weather'],
    ['docker mcp gateway run', 'server'],
    ['env API_KEY weather-mcp', 'weather'],
    ['cmd /c npx -y weather-mcp', 'weather'],
    ['go run github.com/ada/weather@latest', 'weather'],
    ['python -m mcp_server_weather', 'weather'],
    ['API_KEY', 'server'],
  ])('of %s is %s', (line, name) => {
    const [command = '', ...args] = line.split(' ')
    expect(nameOfCommand(command, args)).toBe(name)
  })

  it.each([
    ['https://mcp.linear.app/sse', 'linear'],
    ['https://api.githubcopilot.com/mcp/', 'githubcopilot'],
    ['https://example.com', 'example'],
    ['http://localhost:3001/mcp', 'local-3001'],
    ['http://127.0.0.1:1/', 'local-1'],
    ['https://mcp/', 'mcp'],
    ['http://[::1]/', 'local'],
    ['https://intranet/mcp', 'intranet'],
    ['https://mcp.vercel.com/', 'vercel'],
  ])('of %s is %s', (url, name) => {
    expect(nameOfUrl(url)).toBe(name)
  })

  it('is not one that is in use', () => {
    expect(freeServerName('a', new Set(['b']))).toBe('a')
    expect(freeServerName('a', new Set(['a', 'a-2']))).toBe('a-3')
  })
})
