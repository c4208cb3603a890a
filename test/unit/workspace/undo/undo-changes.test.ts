import { readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FileChange } from '../../../../packages/agent-api/src/messages/file-change.ts'
import { createFileAccess } from '../../../../packages/agent-api/src/workspace/files/file-access.ts'
import { createWorkspaceFiles } from '../../../../packages/agent-api/src/workspace/files/workspace-files.ts'
import { undoChanges } from '../../../../packages/agent-api/src/workspace/undo/undo-changes.ts'
import { openTempDir } from '../../../support/temp-dir.ts'

test('a file that changes while its restore is recorded stays as it is, although nobody had to be asked', async () => {
  await using dir = await openTempDir()
  const path = join(await realpath(dir.path), 'a.txt')
  await writeFile(path, 'old')
  const noted: FileChange[] = []
  const changes = {
    begin: (change: Omit<FileChange, 'after'>) => void noted.push({ ...change, after: null }),
    done: (_: string, after: string) => void noted.push({ ...noted.pop()!, after }),
    drop: () => undefined,
    last: () => undefined,
    forget: () => undefined,
  }
  const cleaner = {
    clean: (value: string) => value,
    rest: (_: string, text: string) => text,
    openEnd: () => 0,
  }
  const files = createWorkspaceFiles({})
  const access = createFileAccess({ roots: [dir.path], ownFiles: [], files }, { cleaner, changes })
  const { signal } = new AbortController()
  await access.change({ args: { path }, plan: undefined, signal }, (before) => ({ ...before!, text: 'new' }))
  const undone = await undoChanges(noted, {
    access,
    async perform(_path, diff, work) {
      expect(diff).toBeUndefined()
      await writeFile(path, 'of a person')
      return work()
    },
    signal,
  })
  expect(undone).toMatchObject([{ isOver: false, outcome: expect.stringContaining('changed again') }])
  expect(await readFile(path, 'utf8')).toBe('of a person')
})
