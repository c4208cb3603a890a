import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unpack, type Manifest } from '../../../../packages/cli/src/single/unpack.ts'
import { openTempDir } from '../../../support/temp-dir.ts'

const contents = new Map([
  ['package.json', '{}'],
  ['dist/chunks/a.js', 'export {}'],
  ['node_modules/rg/bin/rg', '#!/bin/sh'],
])
const manifest: Manifest = {
  hash: 'abc',
  files: [...contents].map(([path, text]) => ({ path, bytes: text.length, isProgram: path.endsWith('rg') })),
}
const read = (path: string) => Buffer.from(contents.get(path) ?? '')
const uid = process.getuid?.()
const none = () => {
  throw new Error('nothing should be written')
}

test('the files are written once, for this user alone', async () => {
  await using dir = await openTempDir()
  const parent = join(dir.path, 'state/programs')
  const folder = unpack(manifest, read, parent, uid)
  expect(folder).toBe(join(parent, 'abc'))
  for (const [path, text] of contents) expect(await readFile(join(folder, path), 'utf8')).toBe(text)
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
  expect(await Promise.all([parent, folder, join(folder, 'dist/chunks')].map(modeOf))).toEqual([
    '700',
    '700',
    '700',
  ])
  expect(
    await Promise.all(['package.json', 'node_modules/rg/bin/rg'].map((path) => modeOf(join(folder, path)))),
  ).toEqual(['600', '700'])
  expect(unpack(manifest, none, parent, uid)).toBe(folder)
  expect(await readdir(parent)).toEqual(['abc'])
})

test.each<[string, (folder: string) => Promise<void>]>([
  ['is missing', (folder) => rm(join(folder, 'dist/chunks/a.js'))],
  ['is cut', (folder) => writeFile(join(folder, 'dist/chunks/a.js'), 'ex')],
  [
    'is a link',
    async (folder) => {
      await rm(join(folder, 'package.json'))
      await symlink('/etc/hostname', join(folder, 'package.json'))
    },
  ],
])('if a file %s, all are written again', async (_name, damage) => {
  await using dir = await openTempDir()
  const folder = unpack(manifest, read, dir.path, uid)
  await damage(folder)
  unpack(manifest, read, dir.path, uid)
  for (const [path, text] of contents) expect(await readFile(join(folder, path), 'utf8')).toBe(text)
  expect((await lstat(join(folder, 'package.json'))).isFile()).toBe(true)
  expect(await readdir(dir.path)).toEqual(['abc'])
})

test('a folder that others may change is refused', async () => {
  await using dir = await openTempDir()
  const folder = unpack(manifest, read, dir.path, uid)
  await chmod(folder, 0o770)
  expect(() => unpack(manifest, none, dir.path, uid)).toThrow(`other users may write to ${folder}`)
  const open = join(dir.path, 'open')
  await mkdir(open)
  await chmod(open, 0o777)
  expect(() => unpack(manifest, none, open, uid)).toThrow(`other users may write to ${open}`)
  const link = join(dir.path, 'link')
  await symlink(dir.path, link)
  expect(() => unpack(manifest, none, link, uid)).toThrow(`${link} is not a folder`)
})

test('a folder of another user is refused', async () => {
  await using dir = await openTempDir()
  expect(() => unpack(manifest, none, dir.path, (uid ?? 0) + 1)).toThrow(
    `${dir.path} belongs to another user`,
  )
})

test('what cannot be written leaves nothing behind', async () => {
  await using dir = await openTempDir()
  expect(() =>
    unpack(
      { ...manifest, files: [...manifest.files, { path: 'package.json/x', bytes: 1, isProgram: false }] },
      read,
      dir.path,
      uid,
    ),
  ).toThrow('package.json')
  expect(await readdir(dir.path)).toEqual([])
})

test('versions that nobody started for a month are deleted', async () => {
  await using dir = await openTempDir()
  const names = ['old', 'recent', 'old.broken']
  for (const name of names) await mkdir(join(dir.path, name, 'dist'), { recursive: true })
  const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000)
  for (const name of ['old', 'old.broken']) await utimes(join(dir.path, name), longAgo, longAgo)
  const folder = unpack(manifest, read, dir.path, uid)
  expect((await readdir(dir.path)).toSorted()).toEqual(['abc', 'recent'])
  await utimes(folder, longAgo, longAgo)
  unpack(manifest, none, dir.path, uid)
  expect((await stat(folder)).mtimeMs).toBeGreaterThan(longAgo.getTime() + 1)
})
