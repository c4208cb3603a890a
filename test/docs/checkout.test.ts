import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempDir } from '../support/temp-dir.ts'

const attributes = join(import.meta.dirname, '../../.gitattributes')

test.for<[string, string, string]>([
  ['test/fixtures/crlf.txt', 'one\r\ntwo\r\n', 'one\r\ntwo\r\n'],
  ['test/fixtures/deep/bom.json', '\uFEFF{}\r\n', '\uFEFF{}\r\n'],
  ['test/fixtures/lf.txt', 'one\ntwo\n', 'one\ntwo\n'],
  ['docs/page.md', 'one\ntwo\n', 'one\ntwo\n'],
  // As a program of Windows may write it.
  ['docs/page.md', 'one\r\ntwo\r\n', 'one\ntwo\n'],
])('where Git turns line ends, %s with %j is checked out as %j', async ([path, before, after]) => {
  await using dir = await openTempDir()
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'core.autocrlf=true', '-c', 'core.safecrlf=false', ...args], {
      cwd: dir.path,
      env: { PATH: process.env['PATH'], HOME: dir.path },
    })
  const file = join(dir.path, path)
  await copyFile(attributes, join(dir.path, '.gitattributes'))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, before)
  git('init', '--quiet')
  git('add', '.')
  await rm(file)
  git('checkout-index', '--all', '--force')
  expect(await readFile(file, 'utf8')).toBe(after)
})
