import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  findFolderPrograms,
  withoutFolder,
} from '../../../packages/agent-api/src/policy/find-folder-programs.ts'
import type { StdioServerConfig } from '../../../packages/agent-api/src/mcp/server-config.ts'
import { openTempDir } from '../../support/temp-dir.ts'

const npx = { type: 'stdio', name: 'a', command: 'npx', args: ['-y', 'mcp-a'], env: {} } as const
const python = { type: 'stdio', name: 'a', command: 'python3', args: ['-m', 'mcp_a'], env: {} } as const

async function lay(root: string, files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

test.each<[what: string, config: StdioServerConfig, files: Record<string, string>, found: readonly string[]]>(
  [
    [
      'a package that is installed',
      npx,
      { 'p/q/node_modules/.bin/mcp-a': '' },
      ['p/q/node_modules/.bin/mcp-a'],
    ],
    [
      'one that is installed above',
      npx,
      { 'p/node_modules/mcp-a/package.json': '' },
      ['p/node_modules/mcp-a'],
    ],
    ['a dependency', npx, { 'p/package.json': '{"devDependencies":{"mcp-a":"1"}}' }, ['p/package.json']],
    ['another dependency', npx, { 'p/package.json': '{"devDependencies":{"mcp-ab":"1"}}' }, []],
    ['settings', npx, { 'p/q/.npmrc': 'registry=https://r.example' }, ['p/q/.npmrc']],
    ['a module', python, { 'p/q/mcp_a/__main__.py': '' }, ['p/q/mcp_a/__main__.py', 'p/q/mcp_a']],
    ['a module above, where Python does not look', python, { 'p/mcp_a.py': '' }, []],
    [
      'the settings of uv',
      { ...npx, command: 'uvx' },
      { 'p/pyproject.toml': '[tool]\nuv = {}' },
      ['p/pyproject.toml'],
    ],
    [
      'a project that does not know uv',
      { ...npx, command: 'uvx' },
      { 'p/pyproject.toml': '[project]\nname = "uvicorn-x"' },
      [],
    ],
    ['files of the home directory', npx, { 'node_modules/.bin/mcp-a': '', '.npmrc': '' }, []],
  ],
)('%s', async (_, config, files, found) => {
  await using dir = await openTempDir()
  await lay(dir.path, { 'p/q/README.md': '', ...files })
  const programs = await findFolderPrograms(config, join(dir.path, 'p/q'), dir.path)
  expect(programs).toEqual(found.map((path) => join(dir.path, path)))
})

test('a link is shown with its target, and a file that cannot be read counts', async () => {
  await using dir = await openTempDir()
  await lay(dir.path, { 'p/evil.js': '', 'p/node_modules/.bin/other': '' })
  await symlink('../../evil.js', join(dir.path, 'p/node_modules/.bin/mcp-a'))
  await symlink('.npmrc', join(dir.path, 'p/.npmrc'))
  const link = join(dir.path, 'p/node_modules/.bin/mcp-a')
  const programs = await findFolderPrograms(npx, join(dir.path, 'p'), dir.path)
  expect(programs).toEqual([`${link} -> ${join(dir.path, 'p/evil.js')}`, join(dir.path, 'p/.npmrc')])
})

test('a relative entry of PATH leads into the folder', async () => {
  await using dir = await openTempDir()
  await lay(dir.path, { 'p/bin/mcp-a': '' })
  const config = {
    type: 'stdio',
    name: 'a',
    command: 'mcp-a',
    args: [],
    env: { PATH: `/usr/bin${delimiter}./bin` },
  } as const
  expect(await findFolderPrograms(config, join(dir.path, 'p'), dir.path)).toEqual([
    join(dir.path, 'p/bin/mcp-a'),
  ])
  expect(
    await findFolderPrograms({ ...config, env: { PATH: '/usr/bin' } }, join(dir.path, 'p'), `${dir.path}/`),
  ).toEqual([])
})

test('a command that no file decides is told to look nowhere else', async () => {
  await using dir = await openTempDir()
  const empty = join(dir.path, 'state/empty')
  expect(withoutFolder(npx, empty).args).toEqual([`--prefix=${empty}`, '-y', 'mcp-a'])
  expect(withoutFolder(npx, undefined)).toEqual(npx)
  await lay(dir.path, { file: '' })
  expect(withoutFolder(npx, join(dir.path, 'file/empty'))).toEqual(npx)
  expect(withoutFolder(python, empty)).toEqual({ ...python, env: { PYTHONSAFEPATH: '1' } })
  expect(withoutFolder({ ...python, env: { PYTHONSAFEPATH: '' } }, empty).env).toEqual({ PYTHONSAFEPATH: '' })
})
