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

it('an empty file is the placeholder of a sandbox, and no lock', async () => {
  await using dir = await openTempDir()
  await writeFile(join(dir.path, 'ostler.lock'), '')
  expect(loadLock(join(dir.path, 'ostler.lock'))).toBeUndefined()
})

it('a link is followed', async () => {
  await using dir = await openTempDir()
  await writeFile(join(dir.path, 'real'), 'ostler.lock 1\n')
  await symlink('real', join(dir.path, 'ostler.lock'))
  expect(loadLock(join(dir.path, 'ostler.lock'))).toEqual(new Set())
})

test.each<[string, (path: string) => unknown, string]>([
  ['a folder', (path) => mkdir(path), 'cannot be used: it is not a file of at most 1 MiB.'],
  ['a pipe without a writer', makeFifo, 'cannot be used: it is not a file of at most 1 MiB.'],
  ['a device', (path) => symlink('/dev/zero', path), 'cannot be used: it is not a file of at most 1 MiB.'],
  ['a link to itself', (path) => symlink(path, path), 'cannot be used: its links form a loop.'],
  [
    'more than 1 MiB',
    (path) => writeFile(path, '\n'.repeat(1024 * 1024 + 1)),
    'cannot be used: it is not a file of at most 1 MiB.',
  ],
  [
    'a secret',
    (path) => writeFile(path, 'hunter2'),
    "ostler.lock cannot be used: it does not begin with 'ostler.lock 1'.",
  ],
])('%s is a lock that cannot be used', async (_, make, message) => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'ostler.lock')
  await make(path)
  expect(() => loadLock(path)).toThrow(
    expect.objectContaining({ code: 'lock.invalid', message: expect.stringContaining(message) }),
  )
})
