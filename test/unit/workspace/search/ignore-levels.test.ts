import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  isIgnored,
  levelsAbove,
  readLevel,
} from '../../../../packages/agent-api/src/workspace/search/ignore-levels.ts'
import { openTempDir } from '../../../support/temp-dir.ts'

async function openTree(files: Readonly<Record<string, string>>) {
  const dir = await openTempDir()
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir.path, path)), { recursive: true })
    await writeFile(join(dir.path, path), content)
  }
  return dir
}

test('the nearest file decides, and an .ignore file overrides every .gitignore', async () => {
  await using dir = await openTree({
    '.gitignore': 'build/\n*.log\n/top\n',
    '.ignore': 'secret\n',
    'a/.gitignore': '!build/\n',
    'a/.ignore': '!x.log\n',
    'a/b/.gitignore': '*.log\n',
  })
  const root = await levelsAbove(dir.path)
  const inner = await readLevel(join(dir.path, 'a'), root)
  const ignored = (level: typeof root, path: string) => isIgnored(level, join(dir.path, path), true)
  expect(['build', 'y.log', 'top', 'secret', 'src'].filter((path) => ignored(root, path))).toEqual([
    'build',
    'y.log',
    'top',
    'secret',
  ])
  const below = ['a/build', 'a/y.log', 'a/x.log', 'a/top', 'a/secret']
  expect(below.filter((path) => ignored(inner, path))).toEqual(['a/y.log', 'a/secret'])
  expect(ignored(await levelsAbove(join(dir.path, 'a/b')), 'a/b/x.log')).toBe(false)
})

test('rules of Git end at the top of a repository, and rules of other users do not count', async () => {
  await using dir = await openTree({ '.gitignore': 'x\n', 'a/.git/HEAD': '', 'b/file': '' })
  const isIgnoredIn = async (folder: string) =>
    isIgnored(await levelsAbove(join(dir.path, folder)), join(dir.path, folder, 'x'), true)
  expect([await isIgnoredIn('a'), await isIgnoredIn('b')]).toEqual([false, true])
  await chmod(dir.path, 0o1777)
  expect(await isIgnoredIn('b')).toBe(false)
})
