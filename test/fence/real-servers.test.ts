import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, test } from 'vitest'
import { call, callText, fixturePath, nodeServer, openConnected } from '../support/mcp-clients.ts'
import { everythingScript } from '../support/program-path.ts'

const { resolve } = createRequire(import.meta.url)
const filesystem = resolve('@modelcontextprotocol/server-filesystem/dist/index.js')
const memory = resolve('@modelcontextprotocol/server-memory/dist/index.js')
/** On the disk, and not in a temporary directory, which a fence hides as a whole. */
const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))

/** A project, and a directory beside it. */
async function openPlaces() {
  await mkdir(cache, { recursive: true })
  const root = await mkdtemp(join(cache, 'real-'))
  const [project, beside] = [join(root, 'project'), join(root, 'beside')]
  await Promise.all([mkdir(project), mkdir(beside)])
  return {
    project,
    beside,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

const held = { by: 'bubblewrap', network: 'none' }
/** The reason that the system gives, not the server. */
const readOnly = /EROFS|Read-only file system/
const fenced = { sandbox: 'required' } as const

describe.skipIf(inject('fenceProblem') !== undefined)('inside a fence', () => {
  test('server-everything lists and calls its tools', async () => {
    await using places = await openPlaces()
    await using client = await openConnected(nodeServer([everythingScript(), 'stdio'], fenced), {
      cwd: places.project,
      roots: [places.project],
    })
    expect(client.fence).toEqual(held)
    expect(client.tools.map(({ name }) => name)).toContain('echo')
    expect(await callText(client, 'echo', { message: 'hello' })).toBe('Echo: hello')
  })

  test('server-filesystem writes in the project, and not in a directory that only it allows', async () => {
    await using places = await openPlaces()
    const { project, beside } = places
    // Roots would take the place of its arguments, and it would refuse the other directory itself.
    await using client = await openConnected(
      nodeServer([filesystem, project, beside], { ...fenced, cwd: project }),
    )
    expect(client.fence).toEqual(held)
    const write = (folder: string) =>
      call(client, 'write_file', { path: join(folder, 'note.txt'), content: 'remember' })
    expect((await write(project)).isError).toBe(false)
    expect(await readFile(join(project, 'note.txt'), 'utf8')).toBe('remember')
    expect(JSON.stringify(await write(beside))).toMatch(readOnly)
    expect(existsSync(join(beside, 'note.txt'))).toBe(false)
  })

  test('server-memory keeps its file in the project, and not beside it', async () => {
    await using places = await openPlaces()
    const { project, beside } = places
    const remember = async (folder: string) => {
      const file = join(folder, 'memory.jsonl')
      await using client = await openConnected(
        nodeServer([memory], { ...fenced, env: { MEMORY_FILE_PATH: file } }),
        { cwd: project, roots: [project] },
      )
      expect(client.fence).toEqual(held)
      expect(client.tools.map(({ name }) => name)).toContain('read_graph')
      const entities = [{ name: 'heron', entityType: 'bird', observations: ['grey'] }]
      const result = JSON.stringify(await call(client, 'create_entities', { entities }))
      return { isRefused: readOnly.test(result), isThere: existsSync(file) }
    }
    expect(await remember(project)).toEqual({ isRefused: false, isThere: true })
    expect(await remember(beside)).toEqual({ isRefused: true, isThere: false })
  })

  test('a server in plain Python writes in the project, and not beside it', async ({ skip }) => {
    if (spawnSync('python3', ['-c', '']).status !== 0) skip('this machine has no python3')
    await using places = await openPlaces()
    const { project, beside } = places
    const python = nodeServer([fixturePath('plain-server.py')], { ...fenced, command: 'python3' })
    await using client = await openConnected(python, { cwd: project, roots: [project] })
    expect(client.fence).toEqual(held)
    expect(client.tools.map(({ name }) => name)).toEqual(['write'])
    const write = (folder: string) =>
      call(client, 'write', { path: join(folder, 'note.txt'), text: 'remember' })
    expect(await write(project)).toMatchObject({ isError: false })
    expect(await readFile(join(project, 'note.txt'), 'utf8')).toBe('remember')
    expect(JSON.stringify(await write(beside))).toMatch(readOnly)
    expect(existsSync(join(beside, 'note.txt'))).toBe(false)
  })
})
