import { spawn } from 'node:child_process'
import { realpath, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { McpClient } from '../../packages/agent-api/src/mcp/mcp-client.ts'
import {
  call,
  callText,
  endChild,
  faultyServer,
  fixturePath,
  httpServer,
  nodeServer,
  openConnected,
  startHttpFixture,
} from '../support/mcp-clients.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { until } from '../support/processes.ts'
import { everythingScript } from '../support/program-path.ts'

const everything = everythingScript()
const filesystem = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url),
)
const signal = new AbortController().signal

describe('server-everything over stdio', () => {
  test('offers its tools, prompts and resources, every kind of content, and progress', async () => {
    await using client = await openConnected(nodeServer([everything, 'stdio']))
    expect(client.status).toMatchObject({
      state: 'connected',
      server: { protocolVersion: '2025-11-25', version: '2.0.0' },
      warnings: [],
    })
    expect(client.tools.map((tool) => tool.name)).toContain('echo')
    // It needs a host that can answer.
    expect(client.tools.map((tool) => tool.name)).not.toContain('trigger-sampling-request')
    expect(client.prompts.map((prompt) => prompt.name)).toContain('args-prompt')
    expect(await callText(client, 'echo', { message: 'hello' })).toBe('Echo: hello')
    const resources = await client.listResources({ signal })
    expect(resources.length).toBeGreaterThan(0)
    const [block] = await client.readResource(resources[0]!.uri, { signal })
    expect(block).toMatchObject({ type: 'resource', resource: { uri: resources[0]!.uri } })
    const prompt = await client.getPrompt('args-prompt', { city: 'Ulm', state: 'BW' }, { signal })
    expect(prompt.messages).toHaveLength(1)

    const image = await call(client, 'get-tiny-image')
    expect(image.content.map((each) => each.type)).toContain('image')
    const structured = await call(client, 'get-structured-content', { location: 'New York' })
    expect(structured.structured).toMatchObject({ conditions: expect.any(String) })
    const reference = await call(client, 'get-resource-reference', { resourceType: 'Text', resourceId: 1 })
    expect(reference.content.map((each) => each.type)).toContain('resource')
    const links = await call(client, 'get-resource-links', { count: 2 })
    expect(links.content.map((each) => each.type)).toContain('resource_link')

    await expectProgress(client)
  })

  test('sends requests to its host, as far as supported', async () => {
    await using temp = await openTempDir()
    await using client = await openConnected(nodeServer([everything, 'stdio']), {
      roots: [temp.path],
      elicit: async (request) => {
        expect(request).toMatchObject({ server: 'server', kind: 'form', schema: { type: 'object' } })
        return { verdict: 'allow', values: { name: 'Ada' } }
      },
      sample: async (request) => ({
        model: 'scripted',
        text: `${request.messages.length} message`,
        stopReason: 'endTurn',
      }),
    })
    await until('the tools that need a host', () =>
      client.tools.some((tool) => tool.name === 'trigger-sampling-request'),
    )
    expect(await callText(client, 'get-roots-list')).toContain(pathToFileURL(temp.path).href)
    expect(await callText(client, 'trigger-elicitation-request')).toContain('Ada')
    expect(await callText(client, 'trigger-sampling-request', { prompt: 'hi', maxTokens: 5 })).toContain(
      '1 message',
    )
  })
})

describe.each(['streamableHttp', 'sse'])('server-everything over %s', (mode) => {
  test('connects by its URL, over every transport', async () => {
    const port = await freePort()
    const child = spawn(process.execPath, [everything, mode], {
      env: { ...process.env, PORT: String(port) },
      stdio: 'ignore',
    })
    try {
      const url = `http://127.0.0.1:${port}/${mode === 'sse' ? 'sse' : 'mcp'}`
      await until('the server to listen', () =>
        fetch(`http://127.0.0.1:${port}/`).then(
          () => true,
          () => false,
        ),
      )
      await using client = await openConnected(httpServer(url))
      expect(await callText(client, 'echo', { message: 'web' })).toBe('Echo: web')
      await expectProgress(client)
      if (mode === 'sse') {
        await using direct = await openConnected(httpServer(url, { type: 'sse' }))
        expect(await callText(direct, 'echo', { message: 'events' })).toBe('Echo: events')
      }
    } finally {
      await endChild(child)
    }
  })
})

test('server-filesystem works within its directory, and its refusals are results', async () => {
  await using temp = await openTempDir()
  await writeFile(join(temp.path, 'note.txt'), 'remember')
  await using client = await openConnected(nodeServer([filesystem, temp.path]), { roots: [temp.path] })
  expect(await callText(client, 'read_text_file', { path: join(temp.path, 'note.txt') })).toBe('remember')
  expect(client.tools.find((tool) => tool.name === 'read_text_file')?.annotations).toMatchObject({
    readOnlyHint: true,
  })
  const denied = await call(client, 'read_text_file', { path: '/etc/hostname' })
  expect(denied.isError).toBe(true)
})

test('a server based on version 1 of the SDK works', async () => {
  await using client = await openConnected(nodeServer([fixturePath('legacy-sdk-server.mjs')]))
  expect(client.status).toMatchObject({
    server: { name: 'legacy', version: '1.2.3', protocolVersion: '2025-11-25' },
  })
  expect(await callText(client, 'add', { a: 2, b: 3 })).toBe('5')
})

describe.each(['stdio', 'http'] as const)('a server that speaks only 2026-07-28, over %s', (transport) => {
  async function open(host = {}) {
    if (transport === 'stdio') {
      const client = await openConnected(nodeServer([fixturePath('modern-server.mjs'), 'stdio']), host)
      return { client, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() }
    }
    const server = await startHttpFixture('modern-server.mjs', 'http')
    const client = await openConnected(httpServer(server.url), host)
    return {
      client,
      async [Symbol.asyncDispose]() {
        await client[Symbol.asyncDispose]()
        await server[Symbol.asyncDispose]()
      },
    }
  }

  test('connects, calls, and asks a person in rounds, up to a limit', async () => {
    await using opened = await open({
      elicit: async () => ({ verdict: 'allow', values: { name: 'Grace' } }),
    })
    const { client } = opened
    expect(client.status).toMatchObject({
      state: 'connected',
      server: { name: 'modern', version: '3.0.0', protocolVersion: '2026-07-28', instructions: 'Be modern.' },
    })
    expect(await callText(client, 'echo', { message: 'new' })).toBe('Echo: new')
    // Its argument must also be sent as a header, or the server rejects it.
    expect(await callText(client, 'routed', { region: 'eu' })).toBe('routed to eu')
    expect(await callText(client, 'ask')).toBe('accept Grace')
    await expect(call(client, 'ask-forever')).rejects.toMatchObject({
      code: 'mcp.call_failed',
      message: expect.stringContaining('too many times'),
    })
  })

  test.runIf(transport === 'stdio')('tells of new tools', async () => {
    await using opened = await open()
    const { client } = opened
    await call(client, 'grow')
    await until('the new tool', () => client.tools.some((tool) => tool.name === 'grown'))
    expect(await callText(client, 'grown')).toBe('grown')
  })
})

test('the protocol can be configured', async () => {
  const modern = [fixturePath('modern-server.mjs'), 'stdio']
  await using client = await openConnected(nodeServer(modern, { protocol: '2026-07-28' }))
  expect(client.status).toMatchObject({ server: { protocolVersion: '2026-07-28' } })
  await expect(openConnected(nodeServer(modern, { protocol: 'legacy' }))).rejects.toThrow('not connected')
})

test('starts in the given directory, with little of our environment', async () => {
  await using temp = await openTempDir()
  process.env['OSTLER_TEST_PROVIDER_KEY'] = 'not for servers'
  try {
    await using client = await openConnected(
      faultyServer('show-environment', '', { env: { GIVEN: 'yes' } }),
      { cwd: temp.path },
    )
    const seen = JSON.parse(await callText(client, 'echo')) as Record<string, string>
    expect(seen).toMatchObject({ GIVEN: 'yes', PATH: process.env['PATH'], cwd: await realpath(temp.path) })
    expect(seen).not.toHaveProperty('OSTLER_TEST_PROVIDER_KEY')
    expect(seen).not.toHaveProperty('VITEST')
  } finally {
    delete process.env['OSTLER_TEST_PROVIDER_KEY']
  }
})

async function expectProgress(client: McpClient): Promise<void> {
  const seen: number[] = []
  const onProgress = ({ progress }: { readonly progress: number }) => seen.push(progress)
  // Progress that arrives together with the result comes too late. On a busy machine, both may.
  for (let duration = 0.1; !seen.includes(1) && duration < 10; duration *= 2) {
    await client.callTool('trigger-long-running-operation', { duration, steps: 2 }, { signal, onProgress })
  }
  expect(seen).toContain(1)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
