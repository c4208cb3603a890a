import { chmod, chown, link, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeAtomically } from '../../../../packages/agent-api/src/workspace/disk/write-atomically.ts'
import { canMount, mountDisk, remountDisk, unmountDisk } from '../../../support/small-disk.ts'
import { openTempDir } from '../../../support/temp-dir.ts'

const { signal } = new AbortController()
const write = (path: string, text: string, stop = signal) =>
  writeAtomically(path, Buffer.from(text), { shown: 'a.txt', signal: stop })

test('a new file gets its directories, and nothing else', async () => {
  await using dir = await openTempDir()
  await write(join(dir.path, 'one/two/a.txt'), 'text')
  expect(await readFile(join(dir.path, 'one/two/a.txt'), 'utf8')).toBe('text')
  expect(await readdir(join(dir.path, 'one/two'))).toEqual(['a.txt'])
})

test('an existing file keeps its mode and its hard links', async () => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'a.txt')
  await writeFile(path, 'old')
  await chmod(path, 0o640)
  await write(path, 'new')
  expect((await stat(path)).mode & 0o7777).toBe(0o640)
  await link(path, join(dir.path, 'b.txt'))
  await write(path, 'shared')
  expect(await readFile(join(dir.path, 'b.txt'), 'utf8')).toBe('shared')
  await write(path, '')
  expect(await readFile(path, 'utf8')).toBe('')
})

test.runIf(process.getuid?.() === 0)('an existing file keeps its owner', async () => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'a.txt')
  await writeFile(path, 'old')
  await chown(path, 1234, 1235)
  await write(path, 'new')
  expect(await stat(path)).toMatchObject({ uid: 1234, gid: 1235 })
})

test('a cancelled write leaves no file and no directory', async () => {
  await using dir = await openTempDir()
  await expect(write(join(dir.path, 'one/two/a.txt'), 'text', AbortSignal.abort())).rejects.toThrow('aborted')
  expect(await readdir(dir.path)).toEqual([])
})

test('a path through a file is explained', async () => {
  await using dir = await openTempDir()
  await writeFile(join(dir.path, 'file'), '')
  await expect(write(join(dir.path, 'file', 'a.txt'), 'x')).rejects.toThrow(
    'a.txt cannot be written: part of the path is a file.',
  )
  await expect(write('/proc/none/a.txt', 'x')).rejects.toThrow(/^a\.txt cannot be written: /)
})

test.runIf(canMount)('a full disk leaves the old file, whether it is replaced or overwritten', async () => {
  await using dir = await openTempDir()
  const disk = join(dir.path, 'disk')
  await mkdir(disk)
  mountDisk(disk, '1m')
  try {
    const path = join(disk, 'a.txt')
    const old = 'old\n'.repeat(1_000)
    await writeFile(path, old)
    const large = 'x'.repeat(2 * 1024 * 1024)
    await expect(write(path, large)).rejects.toThrow('a.txt cannot be written: the disk is full.')
    expect(await readdir(disk)).toEqual(['a.txt'])
    expect(await readFile(path, 'utf8')).toBe(old)
    await expect(write(join(disk, 'new/b.txt'), large)).rejects.toThrow('the disk is full')
    expect(await readdir(disk)).toEqual(['a.txt'])
    await link(path, join(disk, 'b.txt'))
    await expect(write(path, large)).rejects.toThrow('the disk is full')
    expect(await readFile(path, 'utf8')).toBe(old)
    remountDisk(disk, 'ro')
    await expect(write(path, 'x')).rejects.toThrow('a.txt cannot be written: the disk is read-only.')
  } finally {
    unmountDisk(disk)
  }
})
