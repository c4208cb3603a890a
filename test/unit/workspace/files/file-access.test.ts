import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TextCleaner } from '../../../../packages/agent-api/src/base/clean-text.ts'
import type { FileChanges } from '../../../../packages/agent-api/src/messages/file-change.ts'
import { createFileAccess } from '../../../../packages/agent-api/src/workspace/files/file-access.ts'
import { createWorkspaceFiles } from '../../../../packages/agent-api/src/workspace/files/workspace-files.ts'
import { openTempDir } from '../../../support/temp-dir.ts'

const cleaner: TextCleaner = { clean: (value) => value, rest: (_before, text) => text, openEnd: () => 0 }

/** Changes a file that contains `old`, and returns what was noted for `/undo`, each with the text on the disk at that moment. */
async function changeFile(
  save?: () => Promise<never>,
): Promise<readonly (readonly [string, string, string])[]> {
  await using dir = await openTempDir()
  const path = join(dir.path, 'a.txt')
  await writeFile(path, 'old')
  const noted: (readonly [string, string, string])[] = []
  const note = (what: string, text: string) => void noted.push([what, text, readFileSync(path, 'utf8')])
  const changes: FileChanges = {
    begin: ({ before }) => note('begin', before ?? ''),
    done: () => note('done', ''),
    drop: () => note('drop', ''),
    last: () => undefined,
    forget: () => undefined,
  }
  const disk = createWorkspaceFiles({})
  const files = { ...disk, save: save ?? disk.save }
  const access = createFileAccess({ roots: [dir.path], ownFiles: [], files }, { cleaner, changes })
  const { signal } = new AbortController()
  await access
    .change({ args: { path }, plan: undefined, signal }, (before) => ({ ...before!, text: 'new' }))
    .catch(() => undefined)
  return noted
}

it('the old text is noted before the file changes', async () => {
  expect(await changeFile()).toEqual([
    ['begin', 'old', 'old'],
    ['done', '', 'new'],
  ])
})

it('nothing stays noted of a change that failed', async () => {
  const fail = () => Promise.reject(new Error('the disk is full'))
  expect((await changeFile(fail)).map(([what]) => what)).toEqual(['begin', 'drop'])
})

it('a file can be changed again, also where nothing is noted for `/undo`, until someone else changes it', async () => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'a.txt')
  await writeFile(path, 'old')
  const files = createWorkspaceFiles({})
  const access = createFileAccess({ roots: [dir.path], ownFiles: [], files }, { cleaner })
  const { signal } = new AbortController()
  const write = (text: string) =>
    access.change({ args: { path }, plan: undefined, signal }, (before) => ({ ...before!, text }))
  access.saw(
    { path, real: path, shown: path, isOutside: false, sensitivity: undefined, otherNames: 0 },
    { text: 'old', form: { encoding: 'utf-8', hasBom: false } },
  )
  await write('new')
  await write('newer')
  await writeFile(path, 'other')
  await expect(write('newest')).rejects.toThrow('It has changed since you last read it')
})
