import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { loadLock } from '../../../../packages/agent-api/src/servers/lock/load-lock.ts'
import { makeFifo } from '../../../support/make-fifo.ts'
import { openTempDir } from '../../../support/temp-dir.ts'

it('without a file, there is no lock', async () => {
  await using dir = await openTempDir()
  expect(loadLock(join(dir.path, 'ostler.lock'))).toBeUndefined()
})

it('a link is followed', async () => {
  await using dir = await openTempDir()
  await writeFile(join(dir.path, 'real'), 'ostler.lock 1\n')
  await symlink('real', join(dir.path, 'ostler.lock'))
  expect(loadLock(join(dir.path, 'ostler.lock'))).toEqual(new Map())
})

test.each<[string, (path: string) => unknown, string]>([
  ['a folder', (path) => mkdir(path), 'cannot be read: it is not a regular file.'],
  ['a pipe without a writer', makeFifo, 'cannot be read: it is not a regular file.'],
  ['a device', (path) => symlink('/dev/zero', path), 'cannot be read: it is not a regular file.'],
  ['a link to itself', (path) => symlink(path, path), 'cannot be read: its links form a loop.'],
  ['more than 1 MiB', (path) => writeFile(path, '\n'.repeat(1024 * 1024 + 1)), 'it is larger than 1 MiB.'],
  ['a secret', (path) => writeFile(path, 'hunter2'), "ostler.lock: line 1: it is not 'ostler.lock 1'."],
])('%s is a lock that cannot be used', async (_, make, message) => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'ostler.lock')
  await make(path)
  expect(() => loadLock(path)).toThrow(
    expect.objectContaining({ code: 'lock.invalid', message: expect.stringContaining(message) }),
  )
})
