import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { loadFenceProfile } from '../../../packages/agent-api/src/fence/load-fence-profile.ts'
import { openTempDir } from '../../support/temp-dir.ts'

afterEach(() => vi.unstubAllEnvs())

async function openHome(files: readonly string[]) {
  const dir = await openTempDir()
  for (const file of files) {
    await mkdir(dirname(join(dir.path, file)), { recursive: true })
    await writeFile(join(dir.path, file), 'x')
  }
  vi.stubEnv('HOME', dir.path)
  vi.stubEnv('XDG_CONFIG_HOME', undefined)
  vi.stubEnv('XDG_STATE_HOME', undefined)
  const inHome = (paths: readonly string[]) =>
    paths
      .map((path) => relative(dir.path, path))
      .filter((path) => !path.startsWith('..'))
      .toSorted()
  return { ...dir, inHome, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() }
}

test('the home directory is hidden, and what is not secret is visible in it', async () => {
  await using home = await openHome([
    '.aws/credentials',
    '.bash_history',
    '.cargo/bin/cargo',
    '.cargo/credentials.toml',
    '.config/gh/hosts.yml',
    '.config/git/config',
    '.docker/config.json',
    '.gitconfig',
    '.local/bin/tool',
    '.local/share/keyrings/login',
    '.local/share/pnpm/store',
    '.local/state/ostler/history',
    '.npmrc',
    '.ssh/config',
    'notes/a.txt',
  ])
  await symlink(join(home.path, '.ssh'), join(home.path, 'keys'))
  await symlink(join(home.path, 'nothing'), join(home.path, 'dangling'))
  const { hidden, visible } = await loadFenceProfile({ writable: [] })
  expect(home.inHome(visible)).toEqual(['.cargo', '.config', '.config/git', '.gitconfig', '.local', 'notes'])
  expect(home.inHome(hidden.map(({ path }) => path))).toEqual([
    '',
    '.cargo/credentials.toml',
    '.config',
    '.local/share/keyrings',
    '.local/state',
  ])
  expect(hidden).toContainEqual({ path: join(home.path, '.cargo/credentials.toml'), isDirectory: false })
})

test('a project protects Git’s files, agent files and what editors run, also deep in it and before they exist', async () => {
  await using home = await openHome([
    'shop/.git/config',
    'shop/.bare/HEAD',
    'shop/inner/.git/config',
    'shop/inner/.vscode/tasks.json',
    'shop/node_modules/x/.vscode/tasks.json',
    'shop/agent/own.yaml',
    'shop/ostler.lock',
    'shop/package.json',
    'shop/tools/hooks/pre-commit',
    'other.yaml',
  ])
  const shop = join(home.path, 'shop')
  await mkdir(join(shop, '.idea'))
  await writeFile(join(shop, '.git/config'), '[core]\nhooksPath = tools/hooks\n')
  const { writable, readOnly, absent } = await loadFenceProfile({
    writable: [shop, join(home.path, 'missing')],
    ownFiles: [join(shop, 'agent/own.yaml'), join(home.path, 'other.yaml')],
  })
  // The folders between cannot be renamed, as mounts of their own.
  expect(home.inHome(writable)).toEqual(['shop', 'shop/inner', 'shop/tools'])
  expect(home.inHome(readOnly)).toEqual([
    'shop/.git',
    'shop/.idea',
    'shop/agent/own.yaml',
    'shop/inner/.git',
    'shop/inner/.vscode',
    'shop/ostler.lock',
    'shop/tools/hooks',
  ])
  const names = absent.map(({ path }) => relative(shop, path)).toSorted()
  expect(names).toContain('.vscode')
  expect(names).toContain('.mcp.json')
  // An empty one may be what an agent that was killed has left.
  expect(names).toContain('.idea')
  expect(names).not.toContain('.git')
})

test('the directory of a linked working tree’s Git is protected, also inside another name', async () => {
  await using home = await openHome(['shop/.bare/worktrees/a/HEAD', 'shop/.bare/config'])
  const shop = join(home.path, 'shop')
  await writeFile(join(shop, '.git'), 'gitdir: .bare/worktrees/a\n')
  await writeFile(join(shop, '.bare/worktrees/a/commondir'), '../..\n')
  const { readOnly } = await loadFenceProfile({ writable: [shop] })
  expect(home.inHome(readOnly)).toEqual(
    expect.arrayContaining(['shop/.bare', 'shop/.bare/worktrees/a', 'shop/.git']),
  )
})

test('a link or a file of Git that leads to secrets does not make them visible', async () => {
  await using home = await openHome(['.ssh/HEAD', 'shop/a', 'shop/inner/a'])
  const shop = join(home.path, 'shop')
  await writeFile(join(shop, '.git'), `gitdir: ${join(home.path, '.ssh')}\n`)
  await symlink(join(home.path, '.ssh'), join(shop, '.vscode'))
  await symlink(join(home.path, 'nothing'), join(shop, '.idea'))
  const { readOnly, absent } = await loadFenceProfile({ writable: [shop] })
  expect(home.inHome(readOnly)).toEqual(['shop/.git'])
  expect(absent.map(({ path }) => relative(shop, path))).not.toContain('.idea')
})

test('neither the home directory nor what contains it becomes writable', async () => {
  await using home = await openHome(['a'])
  const { writable } = await loadFenceProfile({ writable: [home.path, dirname(home.path), '/'] })
  expect(writable).toEqual([])
})

test('an unusual state directory is hidden, except its empty folder, in which servers start', async () => {
  await using home = await openHome(['state/history', 'state/empty/.keep'])
  const stateDir = join(home.path, 'state')
  const { hidden, visible } = await loadFenceProfile({ writable: [], stateDir })
  expect(hidden).toContainEqual({ path: stateDir, isDirectory: true })
  expect(visible).toContain(join(stateDir, 'empty'))
})

test.each(['/', '/nowhere'])('with %s as the home directory, the rest is still protected', async (home) => {
  vi.stubEnv('HOME', home)
  const { hidden } = await loadFenceProfile({ writable: [] })
  expect(hidden).not.toContainEqual({ path: '/', isDirectory: true })
  expect(hidden).toContainEqual({ path: '/etc/shadow', isDirectory: false })
})

test.skipIf(process.platform !== 'linux')(
  'a socket in a writable directory is hidden, wherever that is',
  async () => {
    await using temp = await openTempDir()
    const path = join(temp.path, 'socket')
    const server = createServer().listen(path)
    await once(server, 'listening')
    const hiddenWith = async (writable: readonly string[]) => (await loadFenceProfile({ writable })).hidden
    expect(await hiddenWith([temp.path])).toContainEqual({ path, isDirectory: false })
    expect(await hiddenWith([])).not.toContainEqual({ path, isDirectory: false })
    server.close()
  },
)
