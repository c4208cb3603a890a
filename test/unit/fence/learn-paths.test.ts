import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { learnPaths } from '../../../packages/agent-api/src/fence/learn-paths.ts'
import { openTempDir } from '../../support/temp-dir.ts'

afterEach(() => vi.unstubAllEnvs())

async function openHome() {
  const dir = await openTempDir()
  vi.stubEnv('HOME', dir.path)
  vi.stubEnv('XDG_CONFIG_HOME', undefined)
  vi.stubEnv('XDG_STATE_HOME', undefined)
  for (const folder of ['.cache/own', '.config', '.ssh', 'work/.git']) {
    await mkdir(join(dir.path, folder), { recursive: true })
    await writeFile(join(dir.path, folder, 'file.txt'), '')
  }
  await symlink(join(dir.path, '.ssh'), join(dir.path, 'link'))
  return {
    ...dir,
    learn: (...paths: readonly string[]) =>
      learnPaths(
        paths.map((path) => `EROFS: read-only file system, '${join(dir.path, path)}'`),
        { writable: [join(dir.path, 'work')], stateDir: join(dir.path, 'state/ostler') },
      ),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  }
}

const cases: readonly (readonly [name: string, path: string, offered: string | undefined])[] = [
  ['an existing directory', '.cache/own', '.cache/own'],
  ['the directory of an existing file', '.cache/own/file.txt', '.cache/own'],
  ['a directory that does not exist', '.cache/new/deep', '.cache/new/deep'],
  ['the directory of a file that does not exist', '.cache/own/new.db', '.cache/own'],
  ['a new place in the home directory', '.memory', '.memory'],
  ['the home directory', 'notes.db', undefined],
  ['a folder that programs share', '.cache/new.db', undefined],
  ['a folder with shared ones', '.local', undefined],
  ['a secret place', '.ssh', undefined],
  ['a file in a secret place', '.ssh/file.txt', undefined],
  ['a secret place that does not exist', '.aws/new', undefined],
  ['the settings of a program that would have a login', '.docker/new', undefined],
  ['the settings of another program', '.config/other', undefined],
  ['what an editor runs', '.vscode/extensions', undefined],
  ['a link to a secret place', 'link/new', undefined],
  ['the folder above', '..', undefined],
]

test.for(cases)('%s', async ([, path, offered]) => {
  await using home = await openHome()
  expect(await home.learn(path)).toEqual(offered === undefined ? [] : [join(home.path, offered)])
})

test('what can be written anyway is left out', async () => {
  await using home = await openHome()
  expect(await home.learn('work/new')).toEqual([])
})

test('each directory is named once, and at most twenty of them', async () => {
  await using home = await openHome()
  expect(await home.learn('.cache/own', '.cache/own/file.txt')).toHaveLength(1)
  const many = Array.from({ length: 30 }, (_, index) => `.cache/new-${index}`)
  expect(await home.learn(...many)).toHaveLength(20)
})
