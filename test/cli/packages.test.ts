import { execFile, spawn } from 'node:child_process'
import { chmod, copyFile, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAcpPeer } from '../support/acp-peer.ts'
import { packPackages, runNpm, unpackLibrary } from '../support/pack-packages.ts'
import { openTempDir, type TempDir } from '../support/temp-dir.ts'

const run = promisify(execFile)
const repository = join(import.meta.dirname, '../..')
const commandBytesMax = 4 * 1024 ** 2

let work: TempDir
let tarballs: ReadonlyMap<string, string>

/** npm packs both packages, which takes a minute on a busy machine. */
const packMsMax = 300_000
beforeAll(async () => {
  work = await openTempDir()
  tarballs = await packPackages(['cli', 'agent-api'], work.path)
}, packMsMax)

afterAll(() => work[Symbol.asyncDispose]())

/** The oldest Node that is supported, where it is installed. */
const oldestNode = findOldestNode()

function findOldestNode(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('node-oldest/package.json')), 'bin/node')
  } catch {
    return undefined
  }
}

async function createProject(name: string): Promise<string> {
  const path = join(work.path, name)
  await mkdir(path)
  await writeFile(
    join(path, 'package.json'),
    '{ "name": "livery-stable", "version": "1.0.0", "type": "module" }\n',
  )
  return path
}

function tarball(folder: string): string {
  return tarballs.get(folder) ?? ''
}

test('the packed command installs in an empty folder, runs, and answers a prompt over ACP', async () => {
  const path = await createProject('command')
  // Optional dependencies come from a registry only.
  await runNpm(['install', '--omit=optional', tarball('cli')], path)
  const command = join(path, 'node_modules/.bin/ostler')
  const { version } = JSON.parse(await readFile(join(repository, 'packages/cli/package.json'), 'utf8')) as {
    version: string
  }
  // The second is what editors start.
  for (const each of [command, join(path, 'node_modules/@ostler/cli/dist/ostler')])
    expect((await run(each, ['--version'])).stdout).toContain(version)
  expect(await readdir(join(path, 'node_modules/@ostler'))).toEqual(['cli'])

  const child = spawn(command, ['acp', '--model', 'offline'], {
    cwd: path,
    env: { PATH: process.env['PATH'] ?? '', HOME: path },
  })
  const exit = new Promise((resolve) => child.on('close', resolve))
  const editor = createAcpPeer(child.stdout, child.stdin)
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: path })
  expect(await editor.prompt(sessionId, '/mcp')).toMatchObject({ stopReason: 'end_turn' })
  expect(editor.text(sessionId)).toContain('MCP servers')
  await editor.prompt(sessionId, '/call search_files {"pattern":"needle","glob":"*.txt"}')
  expect(JSON.stringify(editor.updates(sessionId))).toContain(
    'ripgrep is not installed. Install Ostler again',
  )
  child.stdin.end()
  expect(await exit).toBe(0)
  editor.check()

  if (oldestNode === undefined) return
  const args = [
    join(path, 'node_modules/@ostler/cli/dist/ostler.js'),
    'run',
    '--model',
    'offline',
    '--approve',
    'auto',
  ]
  const onOldest = await run(oldestNode, [...args, '/call list_directory {}'], {
    cwd: path,
    env: { HOME: path },
  })
  expect(onOldest.stdout).toContain('node_modules/')
})

test('the packed library needs only the dependencies that it names, and the example of its README runs', async () => {
  const path = await createProject('library')
  await unpackLibrary(tarball('agent-api'), join(path, 'node_modules'))
  const example = /```ts\n([^]+?)```/.exec(
    await readFile(join(path, 'node_modules/@ostler/agent-api/README.md'), 'utf8'),
  )?.[1]
  // The Node of the workspace leaves out the types.
  await writeFile(join(path, 'example.mts'), example ?? '')
  const fileServer = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-filesystem/dist/index.js',
  )
  await mkdir(join(path, 'bin'))
  await writeFile(
    join(path, 'bin/npx'),
    `#!/bin/sh\nshift 2\nexec '${process.execPath}' '${fileServer}' "$@"\n`,
  )
  await chmod(join(path, 'bin/npx'), 0o755)
  await copyFile(join(repository, 'LICENSE'), join(path, 'LICENSE'))
  const { stdout } = await run(process.execPath, ['example.mts'], {
    cwd: path,
    env: {
      PATH: [join(path, 'bin'), process.env['PATH']].join(delimiter),
      HOME: path,
      OSTLER_MODEL: 'offline',
    },
  })
  expect(stdout).toContain('livery-stable')

  if (oldestNode === undefined) return
  // Without `await using`, which is newer than this Node.
  const program = `import { createAgent } from '@ostler/agent-api'
    const agent = createAgent({ model: 'offline' })
    const session = agent.createSession({ cwd: process.cwd() })
    for await (const event of session.prompt([{ type: 'text', text: 'hello' }])) console.log(event.type)
    await agent[Symbol.asyncDispose]()`
  await writeFile(join(path, 'oldest.mjs'), program)
  const onOldest = await run(oldestNode, ['oldest.mjs'], { cwd: path, env: { HOME: path } })
  expect(onOldest.stdout.trim().split('\n').at(-1)).toBe('turn_end')
})

test.for(['cli', 'agent-api'])(
  'the packed %s has a README and the license, and nothing of the workspace',
  async (folder, { expect }) => {
    const path = join(work.path, `unpacked-${folder}`)
    await mkdir(path)
    await run('tar', ['-xzf', tarball(folder), '-C', path])
    const files = await readdir(join(path, 'package'), { recursive: true })
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']))
    expect(files.filter((file) => /^src\/|\.tsbuildinfo$|\.map$/.test(file))).toEqual([])
    const manifest = await readFile(join(path, 'package/package.json'), 'utf8')
    expect(manifest).not.toMatch(/workspace:|catalog:|devDependencies|"scripts"/)
    expect(JSON.parse(manifest)).toMatchObject({
      license: 'MIT',
      engines: { node: '>=22.16' },
      publishConfig: { provenance: true },
    })
    expect(manifest).not.toContain('./src/')
  },
)

test('the packed command has no dependency that it contains already, and fits in 4 MB', async () => {
  const path = join(work.path, 'unpacked-cli/package')
  const { dependencies } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as {
    dependencies?: object
  }
  expect(dependencies).toBeUndefined()
  const files = await readdir(path, { recursive: true })
  const sizes = await Promise.all(files.map(async (file) => (await lstat(join(path, file))).size))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(commandBytesMax)
})

test('the library has types for every entry', async () => {
  const path = join(work.path, 'unpacked-agent-api/package')
  const { exports } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as {
    exports: Record<string, { types: string; default: string }>
  }
  for (const { types, default: code } of Object.values(exports))
    for (const file of [types, code]) expect((await lstat(join(path, file))).isFile()).toBe(true)
})
