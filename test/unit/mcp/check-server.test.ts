import { createServer, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkServer } from '../../../packages/agent-api/src/mcp/check-server.ts'

beforeEach(() => {
  for (const name of ['http', 'https', 'all']) {
    vi.stubEnv(`${name}_proxy`, undefined)
    vi.stubEnv(`${name}_proxy`.toUpperCase(), undefined)
  }
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const stdio = { type: 'stdio', name: 'x', command: process.execPath, args: [], env: {} } as const
const web = (url: string) => ({ type: 'http', name: 'x', url, headers: {} }) as const
const cwd = process.cwd()

/** An address where nothing listens any more. */
async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}/mcp`
}

test('a program that exists could start, by its path or on the PATH of its environment', async () => {
  await checkServer(stdio, cwd)
  await checkServer({ ...stdio, command: 'sh' }, cwd)
  const elsewhere = { ...stdio, command: 'sh', env: { PATH: '/nowhere' } }
  await expect(checkServer(elsewhere, cwd)).rejects.toMatchObject({ code: 'mcp.command_not_found' })
})

test('a relative program is looked for where the server would start', async () => {
  const relative = { ...stdio, command: './package.json' }
  await checkServer(relative, cwd)
  await expect(checkServer({ ...relative, cwd: '/' }, cwd)).rejects.toMatchObject({
    code: 'mcp.command_not_found',
  })
})

test('an address must answer, unless a proxy stands between', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await checkServer(web(`http://127.0.0.1:${port}/mcp`), cwd)
  await new Promise((resolve) => server.close(resolve))
  const free = await freeAddress()
  await expect(checkServer(web(free), cwd)).rejects.toMatchObject({
    code: 'mcp.unreachable',
    message: 'connection refused',
  })
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9')
  await checkServer(web(free), cwd)
})

test('a server of the editor, and an address that is none, are left to the start', async () => {
  const editors = { type: 'acp', name: 'x', serverId: 'x', editor: 'x' } as const
  await expect(checkServer(editors, cwd)).resolves.toBeUndefined()
  await expect(checkServer(web('not an address'), cwd)).resolves.toBeUndefined()
})
