import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitDirectoryOf } from '../../../packages/agent-api/src/base/git-directory.ts'
import { openTempDir } from '../../support/temp-dir.ts'

test('a .git file is followed inside the tree and to a folder of this user, and never to a share of the network', async () => {
  await using dir = await openTempDir()
  const root = join(dir.path, 'tree')
  const target = join(dir.path, 'main.git')
  for (const folder of [root, target]) await mkdir(folder)
  const follow = async (named: string) => {
    await writeFile(join(root, '.git'), `gitdir: ${named}\n`)
    return gitDirectoryOf(root)
  }
  expect(await gitDirectoryOf(root)).toBeUndefined()
  expect(await follow('data')).toBe(join(root, 'data'))
  expect(await follow('../main.git')).toBe(target)
  expect(await follow(target)).toBe(target)
  expect(await follow('../missing')).toBeUndefined()
  // The same folder, named like a share.
  expect(await follow(`/${target}`)).toBeUndefined()
  expect(await follow('\\\\host\\share')).toBeUndefined()
  await chmod(target, 0o1777)
  expect(await follow(target)).toBeUndefined()
})

test('an ordinary .git is a folder', async () => {
  await using dir = await openTempDir()
  await mkdir(join(dir.path, '.git'))
  expect(await gitDirectoryOf(dir.path)).toBe(join(dir.path, '.git'))
})
